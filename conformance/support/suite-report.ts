/** docs/conformance.md: a section for each suite, written from its last run. */

export interface SuiteRun {
  readonly suite: string;
  /** `the tests of the Identity API in Tempest 47.0.0` */
  readonly title: string;
  /** `2026-11-22` */
  readonly date: string;
  /** By test: `success`, `skip`, or how it failed. */
  readonly results: ReadonlyMap<string, string>;
  /** Tests that must pass, whatever reason is given. */
  readonly pinned: readonly string[];
  /** Why tests do not pass: the part that ids begin with, and the reason. The last match counts. */
  readonly reasons: readonly (readonly [string, string])[];
}

/** What a run of a suite shows to be missing, or wrong, in the list of its reasons. */
export interface ReasonFaults {
  /** Tests that did not pass, and are pinned or without a reason. */
  readonly unexplained: readonly string[];
  /** What reasons are given for, although nothing of it failed or was skipped. */
  readonly outdated: readonly string[];
}

const UNEXPLAINED = 'Not explained yet.';

export function faultsOf(run: SuiteRun): ReasonFaults {
  const failing = notPassed(run);
  return {
    unexplained: failing.filter(
      (id) => run.pinned.includes(id) || reasonFor(run, id) === undefined,
    ),
    outdated: run.reasons
      .map(([start]) => start)
      .filter((start) => !failing.some((id) => isPart(id, start))),
  };
}

/** Markdown, from its heading on. */
export function sectionOf(run: SuiteRun): string {
  const [passed, skipped] = [countOf(run, 'success'), countOf(run, 'skip')];
  const failed = run.results.size - passed - skipped;
  const groups = byReason(run).map(([reason, ids]) => {
    const lines = ids.map((id) => `- \`${id}\` (${run.results.get(id) ?? ''})`);
    return [`### ${reason}`, lines.join('\n')].join('\n\n');
  });
  return [
    `## ${run.suite}`,
    `These are ${run.title}. On ${run.date}, of ${run.results.size} tests ${passed} passed, ${failed} failed` +
      ` and ${skipped} were skipped.`,
    ...groups,
  ].join('\n\n');
}

/** The document with this section in place of the suite's section of before, or at its end. */
export function withSection(document: string, suite: string, section: string): string {
  const [head = '', ...sections] = document.trim().split(/^(?=## )/m);
  const isOfSuite = (text: string): boolean => text.startsWith(`## ${suite}\n`);
  const kept = sections.filter((text) => !isOfSuite(text));
  const all = [...kept, section].sort((one, other) => (one < other ? -1 : 1));
  return `${[head, ...all].map((text) => text.trim()).join('\n\n')}\n`;
}

function byReason(run: SuiteRun): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const id of notPassed(run)) {
    const reason = reasonFor(run, id) ?? UNEXPLAINED;
    groups.set(reason, [...(groups.get(reason) ?? []), id]);
  }
  return [...groups];
}

function notPassed({ results }: SuiteRun): string[] {
  return [...results]
    .filter(([, status]) => status !== 'success')
    .map(([id]) => id)
    .sort();
}

function countOf({ results }: SuiteRun, status: string): number {
  return [...results.values()].filter((each) => each === status).length;
}

function reasonFor({ reasons }: SuiteRun, id: string): string | undefined {
  return reasons.findLast(([start]) => isPart(id, start))?.[1];
}

/** Whether a test is `start`, or in the class or module of that name. */
function isPart(id: string, start: string): boolean {
  return id === start || id.startsWith(`${start}.`);
}
