import { act, screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { createSpeech } from '../../server/src/adapters/speech/speech-by-vendor'
import { manyVoicesCount } from '../../server/test/doubles/speech-double'
import { startSpeechVendors, vendors, withWrongSecrets } from '../../server/test/doubles/speech-vendors'
import { selectOption, findInput, expectValue } from './form-inputs'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { expectText } from './speech-form-actions'

const doubles = await startSpeechVendors()
const { render, requestAs, testData } = useBackend(
  {},
  { speech: createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl, timeoutMs: 3_000 }) },
)

// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
// jsdom plays no audio: the tests check the calls of `play`
let playSpy: MockInstance<HTMLMediaElement['play']>
beforeEach(() => {
  doubles.state.behavior = 'normal'
  playSpy = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue(undefined)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => doubles.stop())

const webhook = { url: 'https://a.example.com/call' }
const accountSid = () => testData().accounts.acme
const addCredential = (body: object) => requestAs('north', 'POST', `/Accounts/${accountSid()}/SpeechCredentials`, body)
const openForm = async (speechSettings: object) => {
  const draft = { account_sid: accountSid(), name: crypto.randomUUID(), call_hook: webhook, call_status_hook: webhook }
  const { sid } = await requestAs<{ sid: string }>('admin', 'POST', '/Applications', { ...draft, ...speechSettings })
  return render(`/internal/applications/${sid}/edit`, { as: 'north' })
}
const synthesisSettings = (vendor: string, voice: string, speech_synthesis_label: string) => ({
  speech_synthesis_vendor: vendor,
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: voice,
  speech_synthesis_label,
})
const findListenButton = () => screen.findByLabelText('Listen')

describe('a voice preview in an application', () => {
  it('plays through the chosen credential, and shows an error if the vendor refuses it', async () => {
    await addCredential({ vendor: 'whisper', label: 'good', ...vendors.whisper!.credential })
    await addCredential({ vendor: 'whisper', label: 'wrong', ...withWrongSecrets(vendors.whisper!.credential) })
    const { user } = await openForm(synthesisSettings('whisper', 'alloy', 'wrong'))
    await user.click(await findListenButton())
    await expectText(vendors.whisper!.messageToUser)
    expect(playSpy).not.toHaveBeenCalled()
    // it can be retried, also with another credential
    await waitFor(async () => expect((await findListenButton()).getAttribute('aria-disabled')).toBeNull())
    await selectOption(user, 'Synthesis label', 'good')
    await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
    await user.click(await findListenButton())
    await waitFor(() => expect(playSpy).toHaveBeenCalledTimes(1))
    await user.click(await screen.findByLabelText('Stop'))
    await findListenButton()
  })

  it.each([
    ['serverError', 'The vendor has an internal error (status 503). Try again later.'],
    ['htmlPage', 'The vendor sent a response without audio.'],
    ['noResponse', 'The vendor did not respond in time. Try again later.'],
  ] as const)('does not play if the double of the vendor is %s, and shows the error', async (behavior, message) => {
    const label = crypto.randomUUID()
    await addCredential({ vendor: 'whisper', label, ...vendors.whisper!.credential })
    const { user } = await openForm(synthesisSettings('whisper', 'alloy', label))
    const listenButton = await findListenButton()
    doubles.state.behavior = behavior
    await user.click(listenButton)
    await waitFor(() => expect(screen.queryAllByText(message)).not.toHaveLength(0))
    expect(playSpy).not.toHaveBeenCalled()
    expect(await findListenButton()).toBeTruthy()
  })

  it('shows an error if the browser cannot play the audio', async () => {
    playSpy.mockRejectedValue(new Error('no such codec'))
    const label = crypto.randomUUID()
    await addCredential({ vendor: 'whisper', label, ...vendors.whisper!.credential })
    const { user } = await openForm(synthesisSettings('whisper', 'alloy', label))
    await user.click(await findListenButton())
    await expectText(messages.playbackFailed)
  })

  it('releases the audio when the form closes during playback', async () => {
    const revokeSpy = vi.spyOn(URL, 'revokeObjectURL')
    const label = crypto.randomUUID()
    await addCredential({ vendor: 'whisper', label, ...vendors.whisper!.credential })
    const { user, navigate } = await openForm(synthesisSettings('whisper', 'alloy', label))
    await user.click(await findListenButton())
    await screen.findByLabelText('Stop')
    await navigate('/internal/applications')
    expect(revokeSpy).toHaveBeenCalledTimes(1)
  })

  it('does not play after another voice was chosen', async () => {
    const label = crypto.randomUUID()
    await addCredential({ vendor: 'whisper', label, ...vendors.whisper!.credential })
    const { user } = await openForm(synthesisSettings('whisper', 'alloy', label))
    const listenButton = await findListenButton()
    await expectValue('Voice', 'Alloy')
    const realFetch = globalThis.fetch
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let synthesisResponse: Promise<Response> | undefined
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const url = requestUrl(input)
      if (!url.includes('/Synthesize')) return realFetch(input, init)
      return (synthesisResponse = released.then(() => realFetch(input, init)))
    })
    try {
      await user.click(listenButton)
      await selectOption(user, 'Voice', 'Echo')
      release()
      await waitFor(() => expect(synthesisResponse).toBeDefined())
      await act(async () => void (await (await synthesisResponse!).clone().arrayBuffer()))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(playSpy).not.toHaveBeenCalled()
    } finally {
      fetchSpy.mockRestore()
    }
  })

  it('finds a voice among a thousand, of which a hundred are rendered', async () => {
    const label = crypto.randomUUID()
    await addCredential({ vendor: 'microsoft', label, ...vendors.microsoft!.credential })
    const { user } = await openForm(synthesisSettings('microsoft', 'en-US-Voice7Neural', label))
    await expectValue('Voice', 'Voice 7 (Male)')
    await user.click(await findInput('Voice'))
    expect(screen.getAllByRole('option')).toHaveLength(100)
    expect(screen.getByText(`${manyVoicesCount - 100} more: type to find them`)).toBeTruthy()
    await user.keyboard('voice 998 fem')
    // the voice, and the option to use the text as typed
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    await user.click(screen.getByRole('option', { name: 'Voice 998 (Female)' }))
    await expectValue('Voice', 'Voice 998 (Female)')
  })
})
