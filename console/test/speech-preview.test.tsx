import { act, screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { speechByVendor } from '../../server/src/adapters/speech/speech-by-vendor'
import { manyVoices } from '../../server/test/doubles/speech-double'
import { startSpeechVendors, vendors, wrongKey } from '../../server/test/doubles/speech-vendors'
import { choose, input, expectValue } from './form-inputs'
import { useBackend } from './render'
import { expectText } from './speech-form-actions'

const doubles = await startSpeechVendors()
const { render, ask, world } = useBackend(
  {},
  { speech: speechByVendor({ privateTargets: true, resolveUrl: doubles.at, timeoutMs: 3_000 }) },
)

// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
// jsdom plays no audio: the tests check the calls of `play`
let played: MockInstance<HTMLMediaElement['play']>
beforeEach(() => {
  doubles.state.behavior = 'fine'
  played = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue(undefined)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => doubles.stop())

const hook = { url: 'https://a.example.com/call' }
const account_sid = () => world().accounts.acme
const credential = (body: object) => ask('north', 'POST', `/Accounts/${account_sid()}/SpeechCredentials`, body)
const open = async (speech: object) => {
  const draft = { account_sid: account_sid(), name: crypto.randomUUID(), call_hook: hook, call_status_hook: hook }
  const { sid } = await ask<{ sid: string }>('admin', 'POST', '/Applications', { ...draft, ...speech })
  return render(`/internal/applications/${sid}/edit`, { as: 'north' })
}
const speaks = (vendor: string, voice: string, speech_synthesis_label: string) => ({
  speech_synthesis_vendor: vendor,
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: voice,
  speech_synthesis_label,
})
const hear = () => screen.findByLabelText('Listen')

describe('a voice preview in an application', () => {
  it('plays through the chosen credential, and shows an error if the vendor refuses it', async () => {
    await credential({ vendor: 'whisper', label: 'good', ...vendors.whisper!.key })
    await credential({ vendor: 'whisper', label: 'wrong', ...wrongKey(vendors.whisper!.key) })
    const { user } = await open(speaks('whisper', 'alloy', 'wrong'))
    await user.click(await hear())
    await expectText(vendors.whisper!.reads)
    expect(played).not.toHaveBeenCalled()
    // it can be retried, also with another credential
    await waitFor(async () => expect((await hear()).getAttribute('aria-disabled')).toBeNull())
    await choose(user, 'Synthesis label', 'good')
    await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
    await user.click(await hear())
    await waitFor(() => expect(played).toHaveBeenCalledTimes(1))
    await user.click(await screen.findByLabelText('Stop'))
    await hear()
  })

  it.each([
    ['broken', 'The vendor has an internal error (status 503). Try again later.'],
    ['garbage', 'The vendor sent a response without audio.'],
    ['silent', 'The vendor did not respond in time. Try again later.'],
  ] as const)("does not play if the vendor's state is %s, and shows the error", async (weather, why) => {
    const label = crypto.randomUUID()
    await credential({ vendor: 'whisper', label, ...vendors.whisper!.key })
    const { user } = await open(speaks('whisper', 'alloy', label))
    const button = await hear()
    doubles.state.behavior = weather
    await user.click(button)
    await waitFor(() => expect(screen.queryAllByText(why)).not.toHaveLength(0))
    expect(played).not.toHaveBeenCalled()
    expect(await hear()).toBeTruthy()
  })

  it('shows an error if the browser cannot play the audio', async () => {
    played.mockRejectedValue(new Error('no such codec'))
    const label = crypto.randomUUID()
    await credential({ vendor: 'whisper', label, ...vendors.whisper!.key })
    const { user } = await open(speaks('whisper', 'alloy', label))
    await user.click(await hear())
    await expectText(messages.playbackFailed)
  })

  it('does not play after another voice was chosen', async () => {
    const label = crypto.randomUUID()
    await credential({ vendor: 'whisper', label, ...vendors.whisper!.key })
    const { user } = await open(speaks('whisper', 'alloy', label))
    const button = await hear()
    await expectValue('Voice', 'Alloy')
    const real = globalThis.fetch
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    let answered: Promise<Response> | undefined
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if (!url.includes('/Synthesize')) return real(input, init)
      return (answered = held.then(() => real(input, init)))
    })
    try {
      await user.click(button)
      await choose(user, 'Voice', 'Echo')
      release()
      await waitFor(() => expect(answered).toBeDefined())
      await act(async () => void (await (await answered!).clone().arrayBuffer()))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(played).not.toHaveBeenCalled()
    } finally {
      asked.mockRestore()
    }
  })

  it('finds a voice among a thousand, of which a hundred are rendered', async () => {
    const label = crypto.randomUUID()
    await credential({ vendor: 'microsoft', label, ...vendors.microsoft!.key })
    const { user } = await open(speaks('microsoft', 'en-US-Voice7Neural', label))
    await expectValue('Voice', 'Voice 7 (Male)')
    await user.click(await input('Voice'))
    expect(screen.getAllByRole('option')).toHaveLength(100)
    expect(screen.getByText(`${manyVoices - 100} more: type to find them`)).toBeTruthy()
    await user.keyboard('voice 998 fem')
    // the voice, and the option to use the text as typed
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    await user.click(screen.getByRole('option', { name: 'Voice 998 (Female)' }))
    await expectValue('Voice', 'Voice 998 (Female)')
  })
})
