import { expect, it } from 'vitest'
import type { Catalogue } from './catalogue'
import { dropUnstorable } from './storable-catalogue'

const option = (value: unknown, name: unknown = 'A name') => ({ value, name }) as { value: string; name: string }
const voices = [option('v')]

it('dropUnstorable removes catalogue entries that an application cannot store', () => {
  const catalogue: Catalogue = {
    tts: [
      { ...option('zh-CN'), voices: [option('v'.repeat(256)), option('v'.repeat(257)), option(null), option(5)] },
      { ...option('zh-CN-guangx'), voices },
      { ...option('zh-CN-sichuan'), voices },
      { ...option('de-DE'), voices: [option(' ')] },
      { ...option('fr-FR'), voices: [] },
      null as never,
      { ...option(''), voices },
    ],
    stt: [option('l'.repeat(64)), option('l'.repeat(65)), option(undefined)],
    models: [option('one', null), option({})],
    sttModels: [],
  }
  expect(dropUnstorable(catalogue)).toEqual({
    tts: [
      { ...option('zh-CN'), voices: [option('v'.repeat(256))] },
      { ...option('zh-CN-guangx'), voices },
      { ...option('fr-FR'), voices: [] },
    ],
    stt: [option('l'.repeat(64))],
    models: [option('one', 'one')],
    sttModels: [],
  })
  expect(dropUnstorable({})).toEqual({})
})
