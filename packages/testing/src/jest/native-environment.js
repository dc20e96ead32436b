/** The environment of native-runner.js: the worker process as it is. */
import { ModuleMocker } from 'jest-mock';

export default class NativeEnvironment {
  /** What Jest would change of the globals of a test file. */
  global = { Error };
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = new ModuleMocker(globalThis);

  async setup() {
    // Nothing: test files leave nothing to the next one, see native-runner.js.
  }

  async teardown() {
    // Likewise.
  }

  getVmContext() {
    return null;
  }
}
