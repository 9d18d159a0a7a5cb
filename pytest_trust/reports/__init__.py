"""Reports made from the plain records of checks."""

from pytest_trust.reports.attacks import attack_lines, by_attack, cases_text
from pytest_trust.reports.baseline.compare import compare_runs
from pytest_trust.reports.baseline.conditions import run_differences, version_differences
from pytest_trust.reports.baseline.file import baseline_text, encoded, read_run, run_of
from pytest_trust.reports.baseline.lines import comparison_lines, failure_text, turned_lines
from pytest_trust.reports.baseline.outcomes import packed_outcomes
from pytest_trust.reports.baseline.results import Comparison, Standing
from pytest_trust.reports.baseline.standing import stand
from pytest_trust.reports.capabilities import CAPABILITIES, capability_lines, capability_matrix
from pytest_trust.reports.document import json_report
from pytest_trust.reports.figures import Figures, Record, by_oracle, summarise
from pytest_trust.reports.github import MOST_BYTES, Annotation, annotation_command, job_summary
from pytest_trust.reports.html import html_report
from pytest_trust.reports.markdown import markdown_parts, markdown_report
from pytest_trust.reports.text import check_line, evidence_lines, summary_lines

__all__ = [
    "CAPABILITIES",
    "MOST_BYTES",
    "Annotation",
    "Comparison",
    "Figures",
    "Record",
    "Standing",
    "annotation_command",
    "attack_lines",
    "baseline_text",
    "by_attack",
    "by_oracle",
    "capability_lines",
    "capability_matrix",
    "cases_text",
    "check_line",
    "compare_runs",
    "comparison_lines",
    "encoded",
    "evidence_lines",
    "failure_text",
    "html_report",
    "job_summary",
    "json_report",
    "markdown_parts",
    "markdown_report",
    "packed_outcomes",
    "read_run",
    "run_differences",
    "run_of",
    "stand",
    "summarise",
    "summary_lines",
    "turned_lines",
    "version_differences",
]
