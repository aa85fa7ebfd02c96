import { describe, expect, it } from 'vitest'
import { programSentence } from './rules'

describe('the JSON of an application', () => {
  it.each([
    ['', undefined],
    ['  ', undefined],
    ['[]', undefined],
    ['[{"verb":"sip:refer","referTo":"sip:a@example.com"},{"verb":"hangup"}]', undefined],
    ['[{"verb":"fly"}]', undefined],
    ['[{"verb":"say"},{"verb":"play"}]', 'play: missing value for url'],
    ['{"verb":"say"}', 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['null', 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].'],
    ['[{"verb":"say"},{"text":"hi"}]', 'Every step of the list needs a "verb".'],
    ['["say"]', 'Every step of the list needs a "verb".'],
    ['[null]', 'Every step of the list needs a "verb".'],
  ])('%s', (text, sentence) => {
    expect(programSentence(text)).toBe(sentence)
  })

  it('says where it stops being JSON', () => {
    expect(programSentence('[{"verb":')).toMatch(/^This is not valid JSON: ./)
  })
})
