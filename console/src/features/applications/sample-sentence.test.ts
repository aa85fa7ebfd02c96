import { expect, it } from 'vitest'
import { getSampleSentence } from './sample-sentence'

it.each([
  ['de-CH', 'Guten Tag, so klingt meine Stimme.'],
  ['cmn-CN', '您好，这就是我的声音。'],
  ['spa', 'Hola, así suena mi voz.'],
  ['german', 'Guten Tag, so klingt meine Stimme.'],
  ['xx', 'Hello, this is what my voice sounds like.'],
  ['', 'Hello, this is what my voice sounds like.'],
])('returns a sample sentence in the language %j', (language, sentence) => {
  expect(getSampleSentence(language)).toBe(sentence)
})
