import { lastLines } from '../last-lines.js';
import type { ConsolesPort } from '../ports/consoles.port.js';
import { findGuest, type SimulatedShare } from './simulated-share.js';

export class SimulatedConsoles implements ConsolesPort {
  constructor(private readonly share: SimulatedShare) {}

  async consoleOutput(guestId: string, lines?: number): Promise<string> {
    await this.share.faults.before('consoleOutput');
    const text = findGuest(this.share, guestId)?.console ?? '';
    return lines === undefined ? text : lastLines(text, lines);
  }
}
