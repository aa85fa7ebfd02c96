import { expect, it } from 'vitest'
import type { Catalogue } from './catalogue'
import { dropUnstorable } from './storable'

const offer = (value: unknown, name: unknown = 'A name') => ({ value, name }) as { value: string; name: string }
const voices = [offer('v')]

it('dropUnstorable removes catalogue entries that an application cannot store', () => {
  const catalogue: Catalogue = {
    tts: [
      { ...offer('zh-CN'), voices: [offer('v'.repeat(256)), offer('v'.repeat(257)), offer(null), offer(5)] },
      { ...offer('zh-CN-guangx'), voices },
      { ...offer('zh-CN-sichuan'), voices },
      { ...offer('de-DE'), voices: [offer(' ')] },
      { ...offer('fr-FR'), voices: [] },
      null as never,
      { ...offer(''), voices },
    ],
    stt: [offer('l'.repeat(64)), offer('l'.repeat(65)), offer(undefined)],
    models: [offer('one', null), offer({})],
    sttModels: [],
  }
  expect(dropUnstorable(catalogue)).toEqual({
    tts: [
      { ...offer('zh-CN'), voices: [offer('v'.repeat(256))] },
      { ...offer('zh-CN-guangx'), voices },
      { ...offer('fr-FR'), voices: [] },
    ],
    stt: [offer('l'.repeat(64))],
    models: [offer('one', 'one')],
    sttModels: [],
  })
  expect(dropUnstorable({})).toEqual({})
})
