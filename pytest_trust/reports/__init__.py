"""Reports made from the plain records of checks."""

from pytest_trust.reports.attacks import attack_lines, by_attack, cases_text
from pytest_trust.reports.capabilities import CAPABILITIES, capability_lines, capability_matrix
from pytest_trust.reports.document import json_report
from pytest_trust.reports.figures import Figures, Record, by_oracle, summarise
from pytest_trust.reports.text import check_line, evidence_lines, summary_lines

__all__ = [
    "CAPABILITIES",
    "Figures",
    "Record",
    "attack_lines",
    "by_attack",
    "by_oracle",
    "capability_lines",
    "capability_matrix",
    "cases_text",
    "check_line",
    "evidence_lines",
    "json_report",
    "summarise",
    "summary_lines",
]
