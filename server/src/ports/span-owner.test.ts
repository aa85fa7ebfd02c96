import { expect, it } from 'vitest'
import { findAccountSid, createSpanOwnerLookup } from './span-owner'
import type { WireSpan } from '@trunkline/contract/calls/otlp-trace'

const accountAttributes = (account?: string) =>
  account ? { attributes: [{ key: 'accountSid', value: { stringValue: account } }] } : {}
const createSpan = (spanId: string, parentSpanId: string, account?: string) =>
  ({ spanId, parentSpanId, ...accountAttributes(account) }) as WireSpan
const findOwners = (spans: WireSpan[], resource?: object) => {
  const findOwner = createSpanOwnerLookup(spans.map((item) => ({ span: item, resource })))
  return Object.fromEntries(spans.map((item) => [item.spanId, findOwner(item)]))
}

it('reads the account SID from either attribute key, in lower case', () => {
  expect(findAccountSid([{ key: 'account_sid', value: { stringValue: 'ABC' } }])).toBe('abc')
  expect(findAccountSid([{ key: 'accountSid', value: { doubleValue: 5 } }])).toBeUndefined()
  expect(findAccountSid('nonsense' as never)).toBeUndefined()
})

it('assigns all spans to the only account that a span or the resource names', () => {
  expect(findOwners([createSpan('a', '', 'one'), createSpan('b', 'a'), createSpan('c', 'lost')])).toEqual({
    a: 'one',
    b: 'one',
    c: 'one',
  })
  expect(findOwners([createSpan('a', '')], accountAttributes('two'))).toEqual({ a: 'two' })
  expect(findOwners([createSpan('a', '')])).toEqual({ a: undefined })
})

it('assigns a span to the account of its nearest ancestor if the trace names several, and to none without one', () => {
  const spans = [
    createSpan('a', '', 'one'),
    createSpan('b', 'a'),
    createSpan('c', 'b', 'two'),
    createSpan('d', 'c'),
    createSpan('e', 'lost'),
  ]
  expect(findOwners(spans)).toEqual({ a: 'one', b: 'one', c: 'two', d: 'two', e: undefined })
  expect(
    findOwners([createSpan('a', 'b'), createSpan('b', 'a'), createSpan('c', '', 'one'), createSpan('d', '', 'two')]),
  ).toMatchObject({
    a: undefined,
    b: undefined,
  })
})
