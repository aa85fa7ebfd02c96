import { describe, expect, it } from 'vitest'
import { findAppJsonRefusal, describeAppJsonError, findUnknownVerbs } from './verbs'

describe('findAppJsonRefusal', () => {
  it.each([
    '[]',
    '[{"verb":"say","text":"hello"},{"verb":"sip:decline","status":486}]',
    '[{"verb":"play","url":"https://example.com/a.wav","unheardOf":1}]',
    '[{"verb":"sing"},{"verb":"toString"}]',
  ])('accepts %s', (text) => {
    expect(findAppJsonRefusal(text)).toBeUndefined()
  })

  it.each([
    ['{"verb":"say"}', 'Error: malformed jambonz payload: must be array'],
    ['"say"', 'Error: malformed jambonz payload: must be array'],
    ['[{"verb":"say"},{}]', 'Error: invalid instruction: undefined'],
    ['[{"verb":7}]', 'Error: invalid instruction: 7'],
    ['[null]', 'Error: invalid instruction: undefined'],
    ['[{"verb":"play","timeoutSecs":10}]', 'Error: play: missing value for url'],
    ['[{"verb":"answer"},{"verb":"pause","length":null}]', 'Error: pause: missing value for length'],
    ['[{"verb":"message","text":"hi"}]', 'Error: message: missing value for to, from'],
  ])('refuses %s', (text, message) => {
    expect(findAppJsonRefusal(text)).toBe(message)
  })

  it('refuses text that is not valid JSON', () => {
    expect(findAppJsonRefusal('[{')).toMatch(/JSON/)
  })
})

it('findUnknownVerbs lists each unknown verb once', () => {
  expect(findUnknownVerbs('[{"verb":"sing"},{"verb":"say"},{"verb":"lex"},{"verb":"sing"},{"verb":"dance"}]')).toEqual([
    'sing',
    'dance',
  ])
  expect(findUnknownVerbs('[{"verb":"sing"},{"verb":"play"}]')).toEqual([])
})

describe('describeAppJsonError', () => {
  it.each([
    ['[]', undefined],
    ['[{"verb":"sip:refer","referTo":"sip:a@example.com"},{"verb":"hangup"}]', undefined],
    ['[{"verb":"fly"}]', undefined],
    ['[{"verb":"say"},{"verb":"play"}]', 'play: missing value for url'],
    ['{"verb":"say"}', 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['null', 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['[{"verb":"say"},{"text":"hi"}]', 'Every item in the list needs a "verb".'],
    ['["say"]', 'Every item in the list needs a "verb".'],
    ['[null]', 'Every item in the list needs a "verb".'],
  ])('returns the error of %s', (text, message) => {
    expect(describeAppJsonError(text)).toBe(message)
  })

  it('reports where the JSON is invalid', () => {
    expect(describeAppJsonError('[{"verb":')).toMatch(/^This is not valid JSON: ./)
  })
})
