/**
 * Runs test files as Node.js runs any module, in Jest's worker process itself. Jest's own runtime
 * loads all modules anew for each file, which takes longer than the tests of most files; here the
 * files of a worker share what they import, as the requests to a service do. What a file changes
 * of the process (mocks, timers, variables) is put back after it.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { jest, provideGlobals } from './globals.js';

// The AWS SDK warns of the oldest Node.js that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const require = createRequire(import.meta.url);

/** Where Jest Circus keeps what listens to its events. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** What Jest Circus needs of a runtime. */
const runtime = {
  requireInternalModule(path) {
    // Its state is that of one test file.
    delete require.cache[path];
    delete globalThis[HANDLERS];
    return require(path);
  },
  requireModule: require,
  setGlobalsForRuntime: provideGlobals,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

export default async function run(globalConfig, config, environment, _runtime, ...rest) {
  const putBack = rememberProcess();
  globalThis.console = environment.global.console;
  // Node.js maps stack traces to the sources by itself (--enable-source-maps).
  delete Error.prepareStackTrace;
  try {
    return await circus.default(globalConfig, config, environment, runtime, ...rest);
  } finally {
    jest.restoreAllMocks();
    jest.useRealTimers();
    putBack();
  }
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
