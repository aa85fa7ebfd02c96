import { expect, it } from 'vitest'
import { isCallId } from './call-id'

it.each([
  ['571fdef7-aa@atlas', true],
  ['6f0d6e0c-2f0a-4d53-9d5c-0d2b8ed9f7a1', true],
  ['a84b4c76e66710ab', true],
  ['+442079460123', false],
  ['18575550100', false],
  ['kestrel', false],
  ['internationalisation', false],
  ['Call of 2026-11-23', false],
])('isCallId(%j) is %s', (text, expected) => expect(isCallId(text)).toBe(expected))
