/**
 * Runs test files as Node.js runs any module, in Jest's worker process itself. Jest's own runtime
 * loads all modules anew for each file, which takes longer than the tests of most files; here the
 * files of a worker share their imports, Jest Circus included. Mocks, timers and variables of the
 * environment are restored after each file.
 */
import { pathToFileURL } from 'node:url';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult } from '@jest/test-result';
import {
  addEventHandler,
  getState,
  removeEventHandler,
  resetState,
  run as runTests,
  setState,
} from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { jest } from './globals.js';

// The AWS SDK warns of the oldest Node.js that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** A test runner as Jest's option `testRunner` describes it. */
export default async function run(globalConfig, config, environment, _runtime, testPath) {
  const putBack = rememberProcess();
  globalThis.console = environment.global.console;
  // Node.js maps stack traces to the sources by itself (--enable-source-maps).
  delete Error.prepareStackTrace;
  const forget = reportUncaught();
  addEventHandler(tellExpect);
  try {
    begin(globalConfig, testPath);
    await import(pathToFileURL(testPath).href);
    const results = await runTests();
    return resultOf(results, globalConfig, config, testPath);
  } finally {
    removeEventHandler(tellExpect);
    forget();
    // The tests' closures hold on to what they have started.
    resetState();
    jest.restoreAllMocks();
    jest.useRealTimers();
    putBack();
    leaveNoGarbage(globalConfig);
  }
}

/**
 * Jest replaces a worker whose heap exceeds the limit, garbage included. A new one loads and compiles
 * every module again, which takes seven seconds of processor time.
 */
function leaveNoGarbage({ workerIdleMemoryLimit }) {
  if (workerIdleMemoryLimit && process.memoryUsage().heapUsed > workerIdleMemoryLimit)
    collectGarbage();
}

function begin({ expand, testNamePattern, testTimeout }, testPath) {
  resetState();
  setState({
    ...getState(),
    ...(testTimeout ? { testTimeout } : {}),
    ...(testNamePattern ? { testNamePattern: new RegExp(testNamePattern, 'i') } : {}),
  });
  jestExpect.setState({ expand, testPath });
}

/** Matchers name the test, and `expect.assertions` is checked at its end. */
async function tellExpect({ name, test }) {
  if (name === 'test_start') jestExpect.setState({ currentTestName: test.name });
  // A late failure fails this test, rather than the next one.
  if (name === 'test_fn_success') await setImmediate();
  if (name !== 'test_done') return;
  for (const { error } of jestExpect.extractExpectedAssertionsErrors()) test.errors.push(error);
}

/**
 * An error that nobody catches fails the test that runs, or the file; a rejection that is caught later
 * does not.
 * @returns stops the reports
 */
function reportUncaught() {
  const takeBack = new WeakMap();
  const report = (error) => {
    const { currentlyRunningTest, unhandledErrors } = getState();
    const errors = currentlyRunningTest?.errors ?? unhandledErrors;
    const entry = [error, new Error('Uncaught')];
    errors.push(entry);
    return () => errors.splice(errors.indexOf(entry), 1);
  };
  const listeners = {
    uncaughtException: report,
    unhandledRejection: (error, promise) => takeBack.set(promise, report(error)),
    rejectionHandled: (promise) => takeBack.get(promise)?.(),
  };
  const putBack = Object.entries(listeners).map(([event, listener]) => {
    // The listeners of Jest's worker would end it.
    const before = process.rawListeners(event);
    process.removeAllListeners(event).on(event, listener);
    return () => {
      process.off(event, listener);
      for (const own of before) process.on(event, own);
    };
  });
  return () => putBack.forEach((each) => each());
}

/** A `TestResult` of Jest's, of a `RunResult` of Jest Circus'. */
function resultOf({ testResults, ...run }, globalConfig, config, testFilePath) {
  const results = testResults.map(assertionResult);
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const detailed = results.map((result, at) => ({
    ...result,
    failureDetails: testResults[at].errorsDetailed,
  }));
  const failures = formatResultsErrors(detailed, config, globalConfig, testFilePath);
  const uncaught = run.unhandledErrorsDetailed.map((error) =>
    formatExecError(error, config, globalConfig),
  );
  return {
    ...createEmptyTestResult(),
    displayName: config.displayName,
    failureMessage: [failures ?? [], uncaught].flat().join('\n\n') || null,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    ...(uncaught.length > 0
      ? { testExecError: { message: '', stack: run.unhandledErrors.join('\n') } }
      : {}),
    testFilePath,
    testResults: results,
  };
}

function assertionResult({ testPath, status, errors, duration, invocations, numPassingAsserts }) {
  // The path begins with Jest Circus' root.
  const [, ...titles] = testPath;
  const ended = { skip: 'pending', todo: 'todo' }[status];
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1),
    fullName: titles.join(' '),
    status: ended ?? (errors.length > 0 ? 'failed' : 'passed'),
    duration,
    invocations,
    numPassingAsserts,
    location: null,
    // Errors may have members that cannot be sent to another process.
    failureDetails: [],
    failureMessages: errors,
    retryReasons: [],
  };
}

function rememberProcess() {
  const { console } = globalThis;
  const { prepareStackTrace } = Error;
  const { exitCode } = process;
  const env = { ...process.env };
  return () => {
    globalThis.console = console;
    Error.prepareStackTrace = prepareStackTrace;
    process.exitCode = exitCode;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  };
}
