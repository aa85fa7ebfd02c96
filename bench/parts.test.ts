import { expect, it } from 'vitest'
import { parseParts } from './parts'

it('selects all parts with targets by default', () => {
  expect(parseParts(undefined)).toEqual(['process', 'requests', 'bytes', 'interactions', 'lists', 'bulk', 'calls'])
  expect(parseParts('')).toEqual(parseParts(undefined))
})

it('selects the named parts', () => {
  expect(parseParts('background, bytes')).toEqual(['background', 'bytes'])
})

it('refuses an unknown part and names the parts', () => {
  expect(() => parseParts('bytes,byte')).toThrow(
    "BENCH_ONLY contains the unknown part 'byte'. Parts: process, requests, bytes, interactions, lists, bulk, calls, background, call-stores.",
  )
})
