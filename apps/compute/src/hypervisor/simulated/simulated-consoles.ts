import type { Duplex } from 'node:stream';
import { HypervisorError } from '../hypervisor-error.js';
import { lastLines } from '../last-lines.js';
import type { ConsolesPort } from '../hypervisor-driver.js';
import { BlankScreen, GREETING } from './blank-screen.js';
import { findGuest, writeConsole, type SimulatedShare } from './simulated-share.js';

export class SimulatedConsoles implements ConsolesPort {
  constructor(private readonly share: SimulatedShare) {}

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    await this.share.faults.before('consoleOutput');
    const text = findGuest(this.share, guestId)?.console ?? '';
    return lines === undefined ? text : lastLines(text, lines);
  }

  /** Echoes input, as a terminal does, and answers each line that nobody is there. */
  async openSerial(guestId: string): Promise<Duplex> {
    await this.share.faults.before('openSerial');
    this.requireMachine(guestId);
    return this.share.terminals.open(guestId, (typed) => {
      const answer = typed.replaceAll('\r', '\r\nno guest really runs\r\n');
      writeConsole(this.share, guestId, answer);
    });
  }

  async openDisplay(guestId: string): Promise<Duplex> {
    await this.share.faults.before('openDisplay');
    this.requireMachine(guestId);
    const screen = new BlankScreen();
    const terminal = this.share.terminals.open(guestId, (typed) => {
      const answer = screen.receive(Buffer.from(typed, 'latin1'));
      if (answer === undefined) terminal.destroy();
      else if (answer.length > 0) terminal.push(answer);
    });
    terminal.isScreen = true;
    terminal.push(GREETING);
    return terminal;
  }

  private requireMachine(guestId: string): void {
    const state = findGuest(this.share, guestId)?.state ?? 'absent';
    if (state !== 'absent') return;
    throw new HypervisorError('not-ready', 'The server has no machine.');
  }
}
