import { describe, expect, it } from 'vitest'
import { toCallFilterText, toCallSearchText, toSearchDigits } from './number-search'

describe('number searches', () => {
  it.each([
    ['(512) 555-0192', '5125550192'],
    [' +1 (512) 555-0192 ', '15125550192'],
    ['512.555.0192', '5125550192'],
    ['0711/555 019', '0711555019'],
    ['+442079460821', '442079460821'],
    ['(512)', '512'],
    ['555-0192', '5550192'],
    ['18575550100', '18575550100'],
  ])('searches calls for %j as %j', (input, searchText) => expect(toCallFilterText(input)).toBe(searchText))

  it.each([
    ['020 7946 0123', '2079460123'],
    ['+44 (0)20 7946 0123', '2079460123'],
    ['+44 20 7946 0123', '2079460123'],
    ['0044 (0) 20 7946 0123', '2079460123'],
    ['0044 20 7946 0123', '2079460123'],
    ['07946 0123', '79460123'],
    ['442079460123', '442079460123'],
    ['+1 (512) 555-0192', '5125550192'],
    ['(512) 555-0192', '5125550192'],
    ['+353 1 679 1234', '16791234'],
    ['+44 20', '4420'],
    ['0123', '0123'],
  ])('searches for %j with the digits that every notation contains: %j', (input, digits) => {
    expect(toSearchDigits(input)).toBe(digits)
  })

  it.each([
    ['020 7946 0123', '2079460123'],
    ['1-100', '1-100'],
    [' Bluewater SIP ', 'Bluewater SIP'],
    ['6f0d6e0c-2f0a-4d53@atlas', '6f0d6e0c-2f0a-4d53@atlas'],
    ['192.0.2.1', '192.0.2.1'],
  ])('sends %j to a server that searches all notations as %j', (input, text) => {
    expect(toCallSearchText(input)).toBe(text)
  })

  it.each([
    'sip:1000@example.com',
    'sip:5125550192@192.0.2.1',
    '192.0.2.1',
    '192.168.100',
    'reception desk',
    '1-100',
    '+49',
    '6f0d6e0c-2f0a-4d53-9d5c-0d2b8ed9f7a1',
    '()',
    '',
  ])('searches calls for %j unchanged', (input) => expect(toCallFilterText(input)).toBe(input))
})
