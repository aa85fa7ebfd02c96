import { expect, it } from 'vitest'
import { decodeAudio } from './vendor-api'

it('decodes audio from base64', () => {
  expect(decodeAudio('SUQz')).toEqual({ type: 'audio/mpeg', bytes: Buffer.from('ID3') })
})

it.each([undefined, null, 7, '', '!'])('refuses %j in place of encoded audio', (encoded) => {
  expect(() => decodeAudio(encoded)).toThrow('The vendor sent a response without audio.')
})
