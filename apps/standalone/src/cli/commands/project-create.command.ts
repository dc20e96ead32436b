/** `cumulet project create`: a new tenant, from nothing to the entry that its user logs in with. */
import { randomBytes } from 'node:crypto';
import { cloudsYaml } from '../../clouds-yaml.js';
import type { Arguments, Command, CommandScope } from '../command.js';
import { UsageError } from '../command-error.js';
import { IdentitySession } from '../identity/identity-session.js';
import { createTenant, type WantedTenant } from '../tenants/create-tenant.js';
import { allOrNothing } from '../tenants/undo.js';

/** 144 bits, as 24 characters that need no quoting anywhere. */
const PASSWORD_BYTES = 18;

export const projectCreate: Command = {
  words: ['project', 'create'],
  operands: ['NAME'],
  summary: 'create a project with a user, and print its entry for clouds.yaml',
  details: [
    'Creates a project and a user with roles in it, and prints the entry for clouds.yaml that the user',
    'logs in with; the entry has the name of the project. Where a step fails, nothing is left of those',
    'before it.',
  ],
  options: {
    user: { type: 'string', value: 'NAME', about: "of the user; by default the project's" },
    role: {
      type: 'string',
      multiple: true,
      value: 'ROLE',
      about: 'that the user has in the project, once or more; by default member',
    },
    domain: {
      type: 'string',
      value: 'DOMAIN',
      about: 'of both, by name or id; by default that of whoever acts',
    },
    description: { type: 'string', value: 'TEXT', about: 'of the project' },
    'password-stdin': {
      type: 'boolean',
      about: "read the user's password from standard input; by default one is generated",
    },
    'existing-user': {
      type: 'boolean',
      about: 'the user is there already; the entry is without its password',
    },
  },
  prepare(args) {
    const options = readOptions(args);
    return (scope) => run(options, scope);
  },
};

interface ProjectCreateOptions extends Omit<WantedTenant, 'password'> {
  readonly passwordFrom: 'nowhere' | 'input' | 'chance';
}

/** @throws UsageError */
export function readOptions({ options, operands }: Arguments): ProjectCreateOptions {
  const [project = ''] = operands;
  const text = (name: string): string | undefined => options[name] as string | undefined;
  const existing = options['existing-user'] === true;
  const input = options['password-stdin'] === true;
  if (existing && input)
    throw new UsageError(
      '--existing-user keeps the password that the user has: leave out --password-stdin',
    );
  return {
    project,
    description: text('description'),
    domain: text('domain'),
    user: text('user') ?? project,
    roles: (options['role'] as readonly string[] | undefined) ?? ['member'],
    passwordFrom: existing ? 'nowhere' : input ? 'input' : 'chance',
  };
}

async function run(options: ProjectCreateOptions, scope: CommandScope): Promise<void> {
  const password = await choosePassword(options, scope);
  const wanted = { ...options, password };
  const actor = await scope.findActor();
  await IdentitySession.during(actor, (identity) =>
    allOrNothing(async (undo) => {
      const { domainId, project, user } = await createTenant(
        identity,
        wanted,
        undo,
        scope.interrupted,
      );
      const entry = {
        name: project.name,
        authUrl: `${actor.identityUrl}/v3`,
        username: user.name,
        password,
        project: project.name,
        domainId,
        region: actor.region,
      };
      // Part of the work: a password that nobody received is useless.
      await scope.print(cloudsYaml([entry]));
      scope.say(
        `The project ${project.name} (${project.id}) is there; ` +
          `${user.name} has ${options.roles.join(', ')} in it`,
      );
    }),
  );
}

async function choosePassword(
  { passwordFrom }: ProjectCreateOptions,
  scope: CommandScope,
): Promise<string | undefined> {
  switch (passwordFrom) {
    case 'nowhere':
      return undefined;
    case 'chance':
      return randomBytes(PASSWORD_BYTES).toString('base64url');
    case 'input': {
      const password = (await scope.readInput()).replace(/\r?\n$/, '');
      if (password === '') throw new UsageError('--password-stdin: standard input is empty');
      return password;
    }
  }
}
