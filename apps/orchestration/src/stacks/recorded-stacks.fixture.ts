/** Stacks that tests create with a recorded engine. */
import { expect } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { startRecorded, type RecordedFixture } from '../orchestration.fixture.js';

export const template = { heat_template_version: '2021-04-16' };

export interface RecordedStack {
  readonly id: string;
  readonly links: readonly { readonly href: string }[];
}

export class RecordedStacks {
  projectId = '';
  token = '';

  private constructor(readonly fixture: RecordedFixture) {}

  static async start(): Promise<RecordedStacks> {
    return new RecordedStacks(await startRecorded());
  }

  stop(): Promise<void> {
    return this.fixture.stop();
  }

  /** Uses a project of its own from here on. */
  async enterProject(): Promise<void> {
    this.projectId = newId();
    this.token = await this.fixture.tokens.issue(['member'], { projectId: this.projectId });
    this.fixture.commands.recorded.length = 0;
  }

  get(path: string): Promise<TestResponse> {
    return this.fixture.client.get(path, { token: this.token });
  }

  post(body: object): Promise<TestResponse> {
    return this.fixture.client.post('/stacks', { token: this.token, body });
  }

  async create(name: string, fields: object = {}): Promise<RecordedStack> {
    const answer = await this.post({ stack_name: name, template, ...fields });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return (answer.body as { stack: RecordedStack }).stack;
  }

  pathOf({ links }: RecordedStack): string {
    return (links[0]?.href ?? '').slice(this.fixture.client.baseUrl.length);
  }
}
