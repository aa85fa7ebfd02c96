import { describe, expect, it } from 'vitest'
import { findForbiddenLicenses, formatBillOfMaterials, formatNotices, isPermissive } from './licenses.mjs'
import { findRuntimePackages } from './lockfile.mjs'

it('accepts licenses that are permissive in every case or as an alternative', () => {
  for (const license of [
    'MIT',
    '(MIT OR WTFPL)',
    '(Apache-2.0 AND BSD-3-Clause)',
    '(BSD-2-Clause OR MIT OR Apache-2.0)',
  ])
    expect({ license, isPermissive: isPermissive(license) }).toEqual({ license, isPermissive: true })
  for (const license of ['', 'GPL-3.0-only', '(MIT AND GPL-3.0-only)', 'SEE LICENSE IN terms.txt', 'UNLICENSED'])
    expect({ license, isPermissive: isPermissive(license) }).toEqual({ license, isPermissive: false })
})

it('names the packages with other licenses', () => {
  const part = { path: 'node_modules/a', version: '1.0.0' }
  expect(
    findForbiddenLicenses([
      { ...part, name: 'a', license: 'MIT' },
      { ...part, name: 'b', license: 'AGPL-3.0-only' },
      { ...part, name: 'c', license: '' },
    ]),
  ).toEqual(['b 1.0.0: AGPL-3.0-only', 'c 1.0.0: no license'])
})

it('finds the packages that a workspace needs at run time, also inside other packages and through peers', () => {
  const packages = {
    '': {},
    server: { dependencies: { a: '^1.0.0', '@trunkline/contract': '0.1.0' }, devDependencies: { tool: '*' } },
    'node_modules/@trunkline/contract': { link: true },
    'node_modules/a': { version: '1.2.0', license: 'MIT', dependencies: { b: '*' }, peerDependencies: { peer: '*' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/b': { version: '1.0.0', license: 'ISC' },
    'node_modules/peer': { version: '3.0.0' },
    'node_modules/tool': { version: '1.0.0', license: 'MIT' },
  }
  expect(findRuntimePackages(packages, ['server'])).toEqual([
    { path: 'node_modules/a', name: 'a', version: '1.2.0', license: 'MIT' },
    { path: 'node_modules/a/node_modules/b', name: 'b', version: '2.0.0', license: 'ISC' },
    { path: 'node_modules/peer', name: 'peer', version: '3.0.0', license: '' },
  ])
})

describe('for the dependencies of the project', () => {
  it('contains the license text of React, which the built console contains', () => {
    expect(formatNotices()).toMatch(/\n\nreact \d[\d.]+\n\nLicense: MIT\n\nMIT License\n/)
  })

  it(
    'lists the packages of server and console, but no development packages, with the same bytes each time',
    { timeout: 60_000 },
    async () => {
      const [text, secondText] = await Promise.all([formatBillOfMaterials(), formatBillOfMaterials()])
      const { bomFormat, components } = JSON.parse(text) as { bomFormat: string; components: { name: string }[] }
      const names = components.map(({ name }) => name)
      expect(bomFormat).toBe('CycloneDX')
      expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'zod']))
      expect(names).not.toContain('vitest')
      expect(secondText).toBe(text)
    },
  )
})
