import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { choice, flag, timestampInput, listQuerySchema, listResponseSchema, name, port, sid } from './fields'

const parse = (shape: z.ZodType, value: unknown) => {
  const result = shape.safeParse(value)
  return result.success ? result.data : 'refused'
}

describe('fields', () => {
  it.each([
    [true, true],
    [false, false],
    [1, 1],
    [0, 0],
    [2, 'refused'],
    ['1', 'refused'],
    [null, 'refused'],
  ])('flag() parses %j as %j', (value, expected) => expect(parse(flag(), value)).toBe(expected))

  it.each([
    ['udp', 'udp'],
    ['TLS/srtp', 'tls/srtp'],
    ['tls ', 'refused'],
    [7, 'refused'],
    [null, 'refused'],
  ])('choice() parses %j as %j', (value, expected) => expect(parse(choice(['udp', 'tls/srtp']), value)).toBe(expected))

  it.each([
    ['2026-11-21T03:14:15.000Z', '2026-11-21T03:14:15.000Z'],
    ['2026-11-21T03:14:15+02:00', '2026-11-21T01:14:15.000Z'],
    ['2026-11-21T03:14:15', '2026-11-21T03:14:15.000Z'],
    ['2026-11-21 03:14:15', '2026-11-21T03:14:15.000Z'],
    ['2026-11-21T03:14', '2026-11-21T03:14:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-13-21', 'refused'],
    ['2026-02-30', 'refused'],
    ['2026-02-29T12:00:00Z', 'refused'],
    ['2026-11-21T24:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T25:00:00Z', 'refused'],
    ['21.11.2026', 'refused'],
    ['tomorrow', 'refused'],
    ['', 'refused'],
    [1795255030, 'refused'],
  ])('timestampInput() parses %j as %j', (value, expected) => expect(parse(timestampInput(), value)).toBe(expected))

  it.each([
    ['abcdef01-2345-6789-abcd-ef0123456789', true],
    // Existing databases contain SIDs that strict UUID rules would refuse.
    ['00000000-0000-0000-0000-000000000001', true],
    ['ABCDEF01-2345-6789-ABCD-EF0123456789', true],
    ['abcdef0123456789abcdef0123456789abcd', false],
    ['abcdef01-2345-6789-abcd-ef012345678', false],
    ['abcdef01-2345-6789-abcd-ef0123456789 ', false],
    ['', false],
  ])('sid() accepts %j: %j', (value, expected) => expect(sid().safeParse(value).success).toBe(expected))

  it('name() trims whitespace', () => {
    expect(parse(name(3), ' abc ')).toBe('abc')
    expect(parse(name(3), ' abcd')).toBe('refused')
  })

  it('port() accepts the integers 0 to 65535', () => {
    for (const valid of [0, 5060, 65535]) expect(parse(port(), valid)).toBe(valid)
    for (const invalid of [-1, 65536, 1.5, '5060']) expect(parse(port(), invalid)).toBe('refused')
  })
})

describe('list queries and responses', () => {
  it.each([
    [{}, {}],
    [{ page: '0' }, { page: 1 }],
    [{ page: '-3' }, { page: 1 }],
    [
      { page: '7', page_size: '25' },
      { page: 7, page_size: 25 },
    ],
    [{ page: 'x' }, 'refused'],
    [{ page_size: '0' }, 'refused'],
    [{ page_size: '1001' }, 'refused'],
    [{ sort: '-created_at' }, { sort: '-created_at' }],
    [{ sort: 'name desc' }, 'refused'],
    [{ anything: 'else' }, { anything: 'else' }],
  ])('parses the query %j as %j', (value, expected) => expect(parse(listQuerySchema, value)).toEqual(expected))

  it('accepts an array or a page as the response, and removes unknown fields of its rows', () => {
    const shape = listResponseSchema(z.object({ a: z.number() }))
    expect(parse(shape, [{ a: 1, secret: 2 }])).toEqual([{ a: 1 }])
    expect(parse(shape, { total: 1, page: 1, page_size: null, data: [{ a: 1, secret: 2 }] })).toEqual({
      total: 1,
      page: 1,
      page_size: null,
      data: [{ a: 1 }],
    })
  })
})
