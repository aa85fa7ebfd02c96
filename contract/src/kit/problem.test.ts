import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problemOf } from './problem'
import { name, sid } from './fields'

const shape = z.strictObject({
  name: name(5, 'missing field name'),
  owner_sid: sid().optional(),
  mode: z.enum(['a', 'b']).optional(),
  count: z.number().optional(),
  hook: z.strictObject({ url: z.string().max(3) }).optional(),
})

const said = (value: unknown) => {
  const result = shape.safeParse(value)
  return result.success ? undefined : problemOf(result.error)
}

describe('problemOf', () => {
  it.each([
    [{}, { msg: 'missing field name', field: 'name' }],
    [{ name: '  ' }, { msg: 'missing field name', field: 'name' }],
    [{ name: 'abcdef' }, { msg: 'name must be at most 5 characters', field: 'name' }],
    [{ name: 7 }, { msg: 'name must be a string', field: 'name' }],
    [
      { name: 'a', nmae: 'b' },
      { msg: 'unknown field nmae', field: 'nmae' },
    ],
    [
      { name: 'a', owner_sid: 'x' },
      { msg: 'invalid owner_sid', field: 'owner_sid' },
    ],
    [
      { name: 'a', mode: 'c' },
      { msg: 'mode must be one of a, b', field: 'mode' },
    ],
    [
      { name: 'a', count: '1' },
      { msg: 'count must be a number', field: 'count' },
    ],
    [
      { name: 'a', hook: { url: 'abcd' } },
      { msg: 'hook.url must be at most 3 characters', field: 'hook.url' },
    ],
    [
      { name: 'a', hook: {} },
      { msg: 'missing field hook.url', field: 'hook.url' },
    ],
    [[], { msg: 'a JSON object is required' }],
  ])('%j', (value, problem) => {
    expect(said(value)).toEqual(problem)
  })

  it('has nothing to say of what is right', () => {
    expect(said({ name: 'abc', count: 0 })).toBeUndefined()
  })
})
