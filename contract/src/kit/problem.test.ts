import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toProblem } from './problem'
import { flag, longText, name, port, sid } from './fields'

const shape = z.strictObject({
  name: name(5, 'missing field name'),
  owner_sid: sid().optional(),
  mode: z.enum(['a', 'b']).optional(),
  count: z.number().optional(),
  ratio: z.number().int().optional(),
  port: port().optional(),
  on: flag().optional(),
  list: z.array(z.string()).max(1).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, 'Invalid, for it is odd')
    .optional(),
  odd: z
    .number()
    .refine((value) => value % 2 === 1)
    .optional(),
  essay: longText(5).optional(),
  bag: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  hook: z.strictObject({ url: z.string().max(3) }).optional(),
})

const findProblem = (value: unknown) => {
  const result = shape.safeParse(value)
  return result.success ? undefined : toProblem(result.error)
}

describe('toProblem', () => {
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
    [
      { name: 'a', hook: { url: 'a', uri: 'b' } },
      { msg: 'unknown field hook.uri', field: 'hook.uri' },
    ],
    [
      { name: 'a', ratio: 1.5 },
      { msg: 'ratio must be a whole number', field: 'ratio' },
    ],
    [
      { name: 'a', port: 65536 },
      { msg: 'port must be at most 65535', field: 'port' },
    ],
    [
      { name: 'a', port: -1 },
      { msg: 'port must be at least 0', field: 'port' },
    ],
    [
      { name: 'a', on: 'yes' },
      { msg: 'on must be a boolean or 0 or 1', field: 'on' },
    ],
    [
      { name: 'a', list: ['a', 'b'] },
      { msg: 'list must be at most 1 entries', field: 'list' },
    ],
    [
      { name: 'a', list: {} },
      { msg: 'list must be a list', field: 'list' },
    ],
    [
      { name: 'a', bag: [] },
      { msg: 'bag must be an object', field: 'bag' },
    ],
    [
      { name: 'a', bag: { x: {} } },
      { msg: 'bag.x must be a string or a number', field: 'bag.x' },
    ],
    [
      { name: 'a', even: 1 },
      { msg: 'Invalid, for it is odd', field: 'even' },
    ],
    [
      { name: 'a', odd: 2 },
      { msg: 'invalid odd', field: 'odd' },
    ],
    [
      { name: 'a', essay: 'ééé' },
      { msg: 'essay must be at most 5 bytes', field: 'essay' },
    ],
    [[], { msg: 'a JSON object is required' }],
  ])('%j', (value, problem) => {
    expect(findProblem(value)).toEqual(problem)
  })

  it('returns the message of a custom rule unchanged, even if it starts like one of zod', () => {
    const shape = z.object({
      a: z.string().refine(() => false, 'Invalid file, no JSON.'),
      b: z.string().refine(() => false),
    })
    const issues = shape.safeParse({ a: '', b: '' }).error!.issues
    expect(issues.map((issue) => toProblem({ issues: [issue] }).msg)).toEqual(['Invalid file, no JSON.', 'invalid b'])
  })

  it('names a missing flag', () => {
    const result = z.object({ on: flag() }).safeParse({})
    expect(result.error && toProblem(result.error)).toEqual({ msg: 'missing field on', field: 'on' })
  })

  it('returns nothing for valid input', () => {
    expect(findProblem({ name: 'abc', count: 0 })).toBeUndefined()
  })
})
