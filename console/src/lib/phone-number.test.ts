import { describe, expect, it } from 'vitest'
import { formatPhoneNumber, stripPunctuation, toDialableNumber } from './phone-number'

describe('phone numbers', () => {
  it.each([
    ['18575550100', '(857) 555-0100'],
    ['+18575550100', '(857) 555-0100'],
    ['442079460821', '+442079460821'],
    ['8575550100', '8575550100'],
    ['911', '911'],
    ['anonymous', 'anonymous'],
  ])('shows %s as %s', (stored, displayed) => expect(formatPhoneNumber(stored)).toBe(displayed))

  it.each([
    ['18575550100', '+18575550100'],
    ['+442079460821', '+442079460821'],
    ['8575550100', '8575550100'],
    ['sip:desk@acme.example.com', 'sip:desk@acme.example.com'],
  ])('copies %s as %s', (stored, copied) => expect(toDialableNumber(stored)).toBe(copied))

  it.each([
    [' +1 (857) 555-0100 ', '+18575550100'],
    ['857.555.0100', '8575550100'],
    ['reception desk', 'reception desk'],
  ])('reads %s as %s', (input, expected) => expect(stripPunctuation(input)).toBe(expected))
})
