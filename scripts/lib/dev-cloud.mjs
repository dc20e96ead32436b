/**
 * One cloud after another, each from the sources as they were last saved.
 *
 * Always holds: the cloud that runs is stopped only once another has loaded its modules. So the two
 * overlap where that saves time, and a save that cannot be loaded leaves the running cloud alone.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Editors write several files at once, and some write one file in several steps. */
const QUIET_MS = 50;

/**
 * A process that loads the cloud's modules and then waits.
 *
 * @typedef {object} Launched
 * @property {Promise<boolean>} loaded whether it could load them
 * @property {() => void} go tells it to start the cloud
 * @property {(signal: string) => void} kill
 * @property {Promise<number>} ended its exit code
 */

export class DevCloud {
  #launch;
  #say;
  /** @type {Launched | undefined} */
  #running;
  /** @type {Launched | undefined} */
  #loading;
  #timer;
  #isEnding = false;

  /**
   * @param {() => Launched} launch
   * @param {(line: string) => void} say
   */
  constructor(launch, say) {
    this.#launch = launch;
    this.#say = say;
  }

  /** Starts the first cloud. */
  begin() {
    void this.#replace();
  }

  /** @param {string} path of the saved source, for the message */
  saved(path) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#say(`\n${path} was saved: loading the sources …`);
      void this.#replace();
    }, QUIET_MS);
  }

  /**
   * Passes a signal on to the cloud, which stops at the first one and gives up at the second.
   *
   * @returns {Promise<number>} the exit code of the cloud, once all processes have ended
   */
  async end(signal) {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    this.#loading?.kill('SIGKILL');
    this.#running?.kill(signal);
    await this.#loading?.ended;
    return (await this.#running?.ended) ?? 0;
  }

  async #replace() {
    if (this.#isEnding) return;
    this.#loading?.kill('SIGKILL');
    const next = this.#launch();
    this.#loading = next;
    const isLoaded = await next.loaded;
    if (this.#loading !== next) return;
    if (isLoaded) await this.#stopRunning();
    // Another save may have come meanwhile, or Ctrl-C.
    if (this.#loading !== next || this.#isEnding) return;
    this.#loading = undefined;
    if (isLoaded) this.#run(next);
    else this.#say(`The sources cannot be loaded. ${this.#running ? KEPT : 'Waiting for a save.'}`);
  }

  async #stopRunning() {
    this.#running?.kill('SIGTERM');
    await this.#running?.ended;
  }

  #run(next) {
    this.#running = next;
    next.go();
    void next.ended.then(() => {
      if (this.#running !== next) return;
      this.#running = undefined;
      if (!this.#isEnding && !this.#loading) this.#say('The cloud has ended. Waiting for a save.');
    });
  }
}

const KEPT = 'The cloud that runs is the one of before.';

const SOURCES = new URL('typescript-sources.mjs', import.meta.url).href;

/** @returns {Launched} */
export function launchFromSources() {
  const program = fileURLToPath(new URL('dev-process.mjs', import.meta.url));
  const options = ['--conditions=cumulet-source', '--import', SOURCES, '--enable-source-maps'];
  const child = spawn(process.execPath, [...options, program], {
    // Out of the terminal's foreground group, whose Ctrl-C would reach the cloud twice.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const loaded = Promise.race([
    new Promise((resolve) => child.once('message', () => resolve(true))),
    ended.then(() => false),
  ]);
  return {
    loaded,
    ended,
    go: () => child.connected && child.send('go'),
    kill: (signal) => child.kill(signal),
  };
}
