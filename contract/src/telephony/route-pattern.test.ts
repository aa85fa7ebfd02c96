import { describe, expect, it } from 'vitest'
import { messages } from '../messages/lcr-route'
import {
  requiresPlus,
  findUnreachableRoutes,
  findPatternError,
  normalizeNumber,
  findRequiredPrefix,
  matchesNumber,
} from './route-pattern'

describe('the pattern of a route', () => {
  it.each<[string, string, boolean]>([
    ['44', '+44 20 7946 0000', true],
    ['44', '+1 44', false],
    ['^44', '442079460000', true],
    ['^1(617|508|857)', '+1 (617) 555-0148', true],
    ['^1(617|508|857)', '+12125550148', false],
    ['0148$', '16175550148', true],
    ['^(?!44)\\d+$', '4930123456', true],
    ['^(?!44)\\d+$', '4420', false],
    ['.*', '1', true],
    ['', '1', false],
    ['(', '1', false],
    ['.*', '', false],
    ['.*', '1'.repeat(33), false],
  ])('%s matches %s: %s', (pattern, number, expected) => expect(matchesNumber(pattern, number)).toBe(expected))

  it.each<[string, string | undefined]>([
    ['44', undefined],
    ['^(33|49|39)', undefined],
    ['^1[2-9]\\d{2}[2-9]\\d{6}$', undefined],
    ['^00\\d*$|^011\\d+', undefined],
    ['^(\\+|00)?44.*', undefined],
    ['^(?:\\d{3}){2,4}$', undefined],
    ['[', messages.invalidPattern],
    ['1**', messages.invalidPattern],
    ['(44', messages.invalidPattern],
    ['+44', messages.plusNotAllowed],
    ['(\\d+)+$', messages.slowPattern],
    ['^(\\d*)*x', messages.slowPattern],
    ['^(1|11)+$', messages.slowPattern],
    ['(?=(\\d+)+x)', messages.slowPattern],
    ['(\\d|\\d\\d){9,}x', messages.slowPattern],
    ['((1?){9}){9}x', messages.slowPattern],
    ['.*.*.*.*.*.*.*.*x', messages.slowPattern],
    ['\\d{0,30}\\d{0,30}\\d{0,30}x', messages.slowPattern],
  ])('%s has the error %s', (pattern, error) => expect(findPatternError(pattern)).toBe(error))

  it.each<[string, string | undefined]>([
    ['44', '44'],
    ['^44', '44'],
    ['^44.*', '44'],
    ['.*', ''],
    ['^4[4]', '44'],
    ['^44$', undefined],
    ['44.*', undefined],
    ['^(33|49)', undefined],
    ['^(?=44)', undefined],
  ])('%s requires exactly the prefix %s', (pattern, prefix) => expect(findRequiredPrefix(pattern)).toBe(prefix))

  it('is unreachable if the patterns before it match all of its numbers', () => {
    const patterns = [
      '^44',
      '^1(617|508|857)',
      '^1212',
      '^161755',
      '1',
      '^(44|33)',
      '^4[4-5]',
      '49',
      '^4(4|9)\\d{2}?',
      '',
    ]
    expect([...findUnreachableRoutes(patterns)]).toEqual([
      [3, [2]],
      [8, [1, 8]],
    ])
    expect([...findUnreachableRoutes(['^1800|^1888', '.*', '^44', '^1888.*', 'x(', '\\d$'])]).toEqual([
      [2, [2]],
      [3, [1]],
    ])
  })

  it('is reported if it requires a plus, because numbers contain none', () => {
    expect(['^\\+44', '\\+1', '[+]1', '^\\+?44', '44', '^(\\+|00)44'].map(requiresPlus)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is compared with numbers without separators', () => {
    expect(normalizeNumber(' +1 (617) 555-01.48 ')).toBe('16175550148')
  })
})
