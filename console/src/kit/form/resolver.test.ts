import { describe, expect, it } from 'vitest'
import { applicationDraftSchema } from '@trunkline/contract/shapes/application'
import { validateRequired, flattenErrors, validateSchema } from './resolver'

describe('validateRequired', () => {
  const required = new Map([
    ['name', 'Name'],
    ['call_hook.url', 'Calling webhook'],
    ['port', 'Port'],
  ])
  it('names each field by its label', () => {
    expect(validateRequired({ name: '  ', call_hook: { url: '' }, port: null }, required)).toEqual({
      name: 'Name is required.',
      'call_hook.url': 'Calling webhook is required.',
      port: 'Port is required.',
    })
  })
  it('accepts 0 as a value', () => {
    expect(validateRequired({ name: 'a', call_hook: { url: 'b' }, port: 0 }, required)).toEqual({})
  })
})

describe('validateSchema', () => {
  const draft = {
    name: 'x',
    call_hook: { url: 'https://a.example.com' },
    call_status_hook: { url: 'https://a.example.com' },
  }
  it('returns nothing for a valid draft', () =>
    expect(validateSchema(applicationDraftSchema, draft, new Map())).toEqual({}))
  it('reports a nested field by its path', () => {
    const errors = validateSchema(applicationDraftSchema, { ...draft, call_hook: { url: 'nonsense' } }, new Map())
    expect(Object.keys(errors)).toEqual(['call_hook.url'])
  })
  it('names the field by its label', () => {
    const errors = validateSchema(
      applicationDraftSchema,
      { ...draft, name: 'x'.repeat(65) },
      new Map([['name', 'Application name']]),
    )
    expect(errors).toEqual({ name: 'Application name must be at most 64 characters' })
  })
})

it('lists field errors, including those in rows', () => {
  const rule = (message: string) => ({ type: 'rule', message, ref: { name: 'x' } })
  const errors = { name: rule('a'), gateways: [undefined, { ipv4: rule('b'), port: rule('c') }] }
  expect(flattenErrors(errors)).toEqual({ name: 'a', 'gateways.1.ipv4': 'b', 'gateways.1.port': 'c' })
})
