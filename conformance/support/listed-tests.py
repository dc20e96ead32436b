"""
listed-tests.py CONFIG TESTS RESULTS: runs the tests of Tempest and its plugins whose ids are the lines of
TESTS, without tags, and writes what became of each to RESULTS, as JSON: {"a.b.Class.test_x": "success"}.

Only the modules of these tests are loaded. `tempest run` loads those of all of them to find a few, and
does so again in each of its workers.
"""

import json
import re
import sys
import unittest

from tempest import config
from testtools.testsuite import filter_by_ids


def without_tags(test_id):
    return test_id.partition("[")[0]


class Listed(set):
    def __contains__(self, test_id):
        return super().__contains__(without_tags(test_id))


class Statuses(unittest.TextTestResult):
    by_id = {}

    def put(self, test, status):
        # A class that cannot be set up, or is skipped, is reported as `setUpClass (a.b.Class)`.
        test_id = re.sub(r"^setUpClass \((.*)\)$", r"\1", test.id())
        self.by_id[without_tags(test_id)] = status

    def addSuccess(self, test):
        super().addSuccess(test)
        self.put(test, "success")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.put(test, "fail")

    def addError(self, test, err):
        super().addError(test, err)
        self.put(test, "fail")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.put(test, "skip")


config_file, tests_file, results_file = sys.argv[1:]
config.CONF.set_config_path(config_file)
with open(tests_file) as file:
    tests = Listed(file.read().split())
modules = sorted({test.rsplit(".", 2)[0] for test in tests})
suite = filter_by_ids(unittest.defaultTestLoader.loadTestsFromNames(modules), tests)
unittest.TextTestRunner(verbosity=2, resultclass=Statuses).run(suite)
with open(results_file, "w") as file:
    json.dump(Statuses.by_id, file)
