import { expect, it } from '@jest/globals';
import { plainWord } from '@cumulet/common/languages/shell';
import { forAllOf, storableText } from '@cumulet/testing/hostile-texts';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { cloudConfig, substituted, type CloudConfig } from './cloud-config.js';
import { aCluster, aGroup, aNode } from '../rows.fixture.js';
import { renderUserData } from '../user-data/render-user-data.js';

/** As parsed by cloud-init. */
function read(config: CloudConfig): unknown {
  const document = parseDocument(config, { version: '1.1', strict: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

it("contains the user's key verbatim, and the given files", () => {
  const files = [{ path: '/etc/a', permissions: '0600', lines: ['a: b', '', '  # c', "'"] }];
  forAllOf(storableText, (key) => {
    const config = cloudConfig({ publicKeys: [key], files, commands: ['/bin/true'] });
    expect(read(config)).toEqual({
      ssh_authorized_keys: [key],
      write_files: [{ path: '/etc/a', permissions: '0600', content: "a: b\n\n  # c\n'\n" }],
      runcmd: [['/bin/true']],
    });
  });
});

it('a line, a path or a command is kept verbatim or refused', () => {
  forAllOf(fc.tuple(storableText, storableText), ([line, path]) => {
    const file = { path: `/etc/${path}`, permissions: '0600', lines: ['first', line] };
    let config: CloudConfig;
    try {
      config = cloudConfig({ publicKeys: [], files: [file], commands: [file.path] });
    } catch {
      expect(path === '' || /[^\w.-]/.test(line + path)).toBe(true);
      return;
    }
    const { permissions } = file;
    // A block drops trailing empty lines.
    const content = line === '' ? 'first\n' : `first\n${line}\n`;
    expect(read(config)).toEqual({
      write_files: [{ path: file.path, permissions, content }],
      runcmd: [[file.path]],
    });
  });
});

it('substitutes a word literally', () => {
  const files = [{ path: '/a', permissions: '0600', lines: ['T=$token'] }];
  const config = cloudConfig({ publicKeys: [], files, commands: [] });
  expect(substituted(config, '$token', plainWord('a+b/c='))).toContain('      T=a+b/c=\n');
});

it('versions, names and addresses cannot reach another line', () => {
  const plain = renderUserData(inputOf({})).split('\n').length;
  const name = fc.constantFrom('version', 'name', 'guestUrl');
  forAllOf(fc.tuple(name, storableText), ([at, text]) => {
    let config: CloudConfig;
    try {
      config = renderUserData(inputOf({ [at]: text }));
    } catch (error) {
      expect(error).toMatchObject({ name: 'UnquotableTextError' });
      return;
    }
    const lines = config.split('\n');
    const more = config.includes('kubernetesVersion: ') ? 1 : 0;
    expect(lines).toHaveLength(plain + more);
    expect(lines.slice(5, 14).join('\n')).toMatch(/^(?: {6}[A-Z_]+=[^\s'"`;&|<>()]*\n?){9}$/);
  });
});

function inputOf({ version = null, ...values }: { version?: string | null; name?: string }) {
  return {
    cluster: aCluster({ labels: { node_bootstrap: 'kubeadm' } }),
    group: aGroup({ version }),
    id: aNode(1).id,
    name: 'web',
    role: 'master' as const,
    caPem: 'ca',
    guestUrl: 'http://169.254.169.254:8080',
    ...values,
  };
}
