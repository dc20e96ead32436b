/** Modules of Go programs, for the SBOM. */
import { expect, it } from '@jest/globals';

import { goModulesOf } from './go-modules.mjs';

it('lists the linked modules, with replacements in place of originals', () => {
  const text = [
    'program: go1.26.8',
    '\tpath\tprogram',
    '\tmod\tprogram\t(devel)\t',
    '\tdep\tk8s.io/api\tv0.35.0',
    '\t=>\tk8s.io/api\tv0.35.4\th1:abc=',
    '\tdep\tgolang.org/x/sys\tv0.38.0\th1:def=',
    '\tbuild\t-trimpath=true',
  ].join('\n');
  expect(goModulesOf(text)).toEqual([
    { path: 'stdlib', version: '1.26.8', sum: undefined },
    { path: 'k8s.io/api', version: 'v0.35.4', sum: 'h1:abc=' },
    { path: 'golang.org/x/sys', version: 'v0.38.0', sum: 'h1:def=' },
  ]);
});
