import { describe, expect, it } from 'vitest'
import { appJsonFault } from './verbs'

describe('appJsonFault', () => {
  it('takes a list of known verbs, also an empty one', () => {
    expect(appJsonFault('[{"verb":"say","text":"hello"},{"verb":"sip:decline","status":486}]')).toBeUndefined()
    expect(appJsonFault('[]')).toBeUndefined()
  })

  it.each([
    ['{"verb":"say"}', 'Error: malformed jambonz payload: must be array'],
    ['"say"', 'Error: malformed jambonz payload: must be array'],
    ['[{"verb":"sing"}]', 'Error: invalid instruction: sing'],
    ['[{"verb":"say"},{}]', 'Error: invalid instruction: undefined'],
    ['[null]', 'Error: invalid instruction: undefined'],
  ])('refuses %s', (text, words) => {
    expect(appJsonFault(text)).toBe(words)
  })

  it('says that a text is no JSON at all', () => {
    expect(appJsonFault('[{')).toMatch(/JSON/)
  })
})
