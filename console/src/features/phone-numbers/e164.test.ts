import { describe, expect, it } from 'vitest'
import { parseInternational } from './e164'

describe('parseInternational', () => {
  it.each<[string, ReturnType<typeof parseInternational>]>([
    ['+49', { code: '49', region: 'DE' }],
    ['442079460000', { code: '44', region: 'GB' }],
    ['+353', { code: '353', region: 'IE' }],
    ['79123456789', { code: '7', region: 'RU' }],
    ['+16175550148', { code: '1' }],
    ['+1617', { code: '1', missingDigits: 7 }],
    ['161755501489', { code: '1', missingDigits: -1 }],
    ['+4912345678901234', { code: '49', region: 'DE', missingDigits: -1 }],
    ['+999123', undefined],
    ['+35', undefined],
    ['0049', undefined],
    ['', undefined],
  ])('parses %j', (number, expected) => expect(parseInternational(number)).toEqual(expected))
})
