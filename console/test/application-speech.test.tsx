import { act, screen, waitFor } from '@testing-library/react'
import type { Application } from '@trunkline/contract/shapes/application'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { selectOption, findInput, readOptionTexts, searchAndSelectOption, expectValue } from './form-inputs'
import { startV1Server } from './v1-server'
import { holdRequests, requestUrl } from './hold-requests'
import { useBackend } from './render'
import { respondWithSpeechLists } from './speech-catalogues'

const { render, requestAs, backend, testData } = useBackend()
let v1Server: Awaited<ReturnType<typeof startV1Server>>

// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
beforeAll(async () => {
  v1Server = await startV1Server(backend().app, respondWithSpeechLists)
})
beforeEach(() => {
  v1Server.requests.length = 0
})
afterAll(() => v1Server.close())

const webhook = { url: 'https://a.example.com/call' }
const microsoftVoice = { speech_synthesis_vendor: 'microsoft', speech_synthesis_voice: 'en-US-AvaNeural' }
let applicationCount = 0
const addApplication = async (draft: object = {}) =>
  (
    await requestAs<{ sid: string }>('admin', 'POST', '/Applications', {
      account_sid: testData().accounts.acme,
      name: `application ${++applicationCount}`,
      call_hook: webhook,
      call_status_hook: webhook,
      ...draft,
    })
  ).sid
const readApplication = (sid: string) => requestAs<Application>('admin', 'GET', `/Applications/${sid}`)

const editPath = (sid: string) => `/internal/applications/${sid}/edit`
/** Opens the form with a server that lists languages and voices, and waits for the lists of the stored vendor. */
const openForm = async (sid: string) => {
  const rendered = await render(editPath(sid), { as: 'north', features: { apiBaseUrl: v1Server.apiBaseUrl } })
  await findInput('Speech synthesis vendor')
  await waitFor(() => expect(screen.queryByPlaceholderText('Loading')).toBeNull())
  return rendered
}

const save = async (user: UserEvent) => {
  await user.click(await screen.findByText('Save'))
  await screen.findByText('Application updated successfully')
}

describe('the speech settings of an application', () => {
  it("offer the vendor's languages and voices, and reset them for another vendor", async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    await expectValue('Synthesis language', 'en-US (name)')
    await expectValue('Voice', 'en-US-Standard-C (name)')
    await selectOption(user, 'Speech synthesis vendor', 'ElevenLabs')
    await expectValue('Synthesis language', 'en (name)')
    await expectValue('Voice', 'Rachel (name)')
    await selectOption(user, 'Synthesis language', 'de (name)')
    await expectValue('Voice', 'Hans (name)')
    await selectOption(user, 'Speech recognizer vendor', 'Cobalt')
    await expectValue('Recognizer language', 'en_US-8khz (name)')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_vendor: 'elevenlabs',
      speech_synthesis_label: null,
      speech_synthesis_language: 'de',
      speech_synthesis_voice: 'Hans',
      speech_recognizer_vendor: 'cobalt',
      speech_recognizer_language: 'en_US-8khz',
    })
    expect(v1Server.requests.some((path) => path.includes('/ServiceProviders/') && path.includes('/speech/'))).toBe(
      true,
    )
  })

  it('search a list that was opened before its voices arrived', async () => {
    const sid = await addApplication()
    const releaseCatalogue = holdRequests('GET', 'supportedLanguagesAndVoices')
    try {
      const { user } = await render(editPath(sid), { as: 'north', features: { apiBaseUrl: v1Server.apiBaseUrl } })
      await user.click(await findInput('Voice'))
      await user.keyboard('c (name')
      releaseCatalogue()
      expect(await screen.findByRole('option', { name: 'en-US-Standard-C (name)' })).toBeTruthy()
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('request only the lists of the last chosen vendor, once, after 200 ms', async () => {
    const { user } = await openForm(await addApplication())
    const realSetTimeout = globalThis.setTimeout
    const callbacks: (() => void)[] = []
    const timeoutSpy = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((callback: () => void, delayMs?: number) =>
        delayMs === 200 ? callbacks.push(callback) : realSetTimeout(callback, delayMs)) as typeof setTimeout)
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    try {
      await selectOption(user, 'Speech synthesis vendor', 'ElevenLabs')
      await selectOption(user, 'Speech synthesis vendor', 'Deepgram')
      act(() => {
        for (const callback of callbacks) callback()
      })
      await expectValue('Synthesis model', 'aura-asteria-en (name)')
      const vendors = fetchSpy.mock.calls.flatMap(([input]) => {
        const url = requestUrl(input)
        return url.includes('supportedLanguagesAndVoices') ? (new URL(url).searchParams.get('vendor') ?? '') : []
      })
      expect(vendors).toEqual(['deepgram'])
    } finally {
      timeoutSpy.mockRestore()
      fetchSpy.mockRestore()
    }
  })

  it('offer the labels of the credentials, and the lists of the chosen one', async () => {
    const sid = await addApplication({ speech_synthesis_voice: 'custom_v1' })
    const { user } = await openForm(sid)
    await expectValue('Voice', 'Our receptionist')
    expect(await readOptionTexts(user, 'Synthesis label')).toEqual(['None', 'eu'])
    await selectOption(user, 'Synthesis label', 'eu')
    await expectValue('Synthesis language', 'fr-FR (name)')
    await expectValue('Voice', 'fr-FR-Standard-A (name)')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_label: 'eu',
      speech_synthesis_voice: 'fr-FR-Standard-A',
    })
  })

  it("offer Deepgram's models as voices, and only labels that support the direction", async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    await selectOption(user, 'Speech synthesis vendor', 'Deepgram')
    await expectValue('Synthesis model', 'aura-asteria-en (name)')
    expect(screen.queryByLabelText(/^Synthesis language/)).toBeNull()
    expect(await readOptionTexts(user, 'Synthesis label')).toEqual(['None'])
    await selectOption(user, 'Speech recognizer vendor', 'Deepgram')
    await expectValue('Recognizer language', 'en-US (name)')
    await selectOption(user, 'Recognizer label', 'recognition only')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_vendor: 'deepgram',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'aura-asteria-en',
      speech_recognizer_label: 'recognition only',
    })
  })

  it('are typed for a custom vendor, which is offered only for its directions', async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    expect(await readOptionTexts(user, 'Speech recognizer vendor')).not.toContain('Voice Mill (custom)')
    await selectOption(user, 'Speech synthesis vendor', 'Voice Mill (custom)')
    const language = await findInput('Synthesis language')
    await user.click(await screen.findByText('Save'))
    expect(await screen.findByText('Synthesis language is required.')).toBeTruthy()
    expect(screen.getByText('Voice is required.')).toBeTruthy()
    await user.type(language, 'klingon')
    await user.type(await findInput('Voice'), 'worf')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_vendor: 'custom:Voice Mill',
      speech_synthesis_language: 'klingon',
      speech_synthesis_voice: 'worf',
    })
  })

  it('accept a custom voice that is in no list', async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    await searchAndSelectOption(user, 'Voice', 'en-US-OurOwn', 'Use en-US-OurOwn')
    await expectValue('Voice', 'en-US-OurOwn')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-OurOwn',
    })
  })

  it('offer the vendors sorted by name, without disabled ones', async () => {
    const features = { apiBaseUrl: v1Server.apiBaseUrl, customSpeech: false, additionalSpeech: false }
    const { user } = await render(editPath(await addApplication()), { as: 'north', features })
    await expectValue('Synthesis language', 'en-US (name)')
    expect(await readOptionTexts(user, 'Speech synthesis vendor')).not.toContain('Voice Mill (custom)')
    const vendors = await readOptionTexts(user, 'Speech recognizer vendor')
    expect(vendors).toEqual(vendors.toSorted((first, second) => (first ?? '').localeCompare(second ?? '')))
    expect(vendors).toContain('SoundHound')
    expect(vendors).not.toContain('Speechmatics')
  })

  it('leave out a language that is too long to store', async () => {
    const { user } = await openForm(await addApplication())
    await selectOption(user, 'Speech synthesis vendor', 'Microsoft')
    await expectValue('Voice', 'Xiaoxiao (name)')
    expect(await readOptionTexts(user, 'Synthesis language')).toEqual(['zh-CN (name)'])
  })

  it('can be swapped with those of the fallback vendor', async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    await user.click(await findInput('Use a fallback speech vendor'))
    const swapButton = await screen.findByText('Swap primary and fallback')
    expect((swapButton as HTMLButtonElement).disabled).toBe(true)
    await user.click(await screen.findByText('Save'))
    expect(await screen.findByText('Choose a fallback vendor for synthesis, recognition or both.')).toBeTruthy()
    await selectOption(user, 'Fallback speech synthesis vendor', 'ElevenLabs')
    await expectValue('Fallback voice', 'Rachel (name)')
    await user.click(swapButton)
    await expectValue('Speech synthesis vendor', 'ElevenLabs')
    await expectValue('Voice', 'Rachel (name)')
    await expectValue('Fallback voice', 'en-US-Standard-C (name)')
    await save(user)
    const swapped = {
      speech_synthesis_vendor: 'elevenlabs',
      speech_synthesis_voice: 'Rachel',
      speech_recognizer_vendor: 'google',
      use_for_fallback_speech: 1,
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_language: 'en-US',
      fallback_speech_synthesis_voice: 'en-US-Standard-C',
      fallback_speech_recognizer_vendor: null,
    }
    expect(await readApplication(sid)).toMatchObject(swapped)
    await user.click(await findInput('Use a fallback speech vendor'))
    await user.click(await screen.findByText('Save'))
    await waitFor(async () =>
      expect(await readApplication(sid)).toMatchObject({
        use_for_fallback_speech: 0,
        fallback_speech_synthesis_vendor: null,
        fallback_speech_synthesis_voice: null,
      }),
    )
  })

  it('are not swapped while lists are loading, and put the lists in the right field', async () => {
    const sid = await addApplication()
    const { user } = await openForm(sid)
    await user.click(await findInput('Use a fallback speech vendor'))
    const swapButton = await screen.findByText('Swap primary and fallback')
    const releaseLists = holdRequests('GET', 'vendor=elevenlabs')
    try {
      await selectOption(user, 'Fallback speech synthesis vendor', 'ElevenLabs')
      await user.click(swapButton)
      await waitFor(() => expect(swapButton.getAttribute('aria-busy')).toBe('true'))
      await user.click(swapButton)
      await expectValue('Speech synthesis vendor', 'Google')
      releaseLists()
      await expectValue('Fallback voice', 'Rachel (name)')
    } finally {
      vi.restoreAllMocks()
    }
    await waitFor(() => expect(swapButton.getAttribute('aria-busy')).toBeNull())
    await user.click(swapButton)
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_vendor: 'elevenlabs',
      speech_synthesis_voice: 'Rachel',
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_voice: 'en-US-Standard-C',
    })
  })

  it('are typed if the server lists nothing, with one note about it', async () => {
    const serverWithoutLists = await startV1Server(
      backend().app,
      undefined,
      /\/(Abilities|GoogleCustomVoices)$|\/SpeechCredentials/,
    )
    const sid = await addApplication(microsoftVoice)
    const { user } = await render(editPath(sid), {
      as: 'north',
      features: { apiBaseUrl: serverWithoutLists.apiBaseUrl },
    })
    await screen.findByText(
      "This server has no list of languages and voices for Microsoft and Google. Enter the vendor's own codes. " +
        'This server does not list speech services. Enter the label of the one to use.',
    )
    expect(screen.getAllByText(/does not list/)).toHaveLength(1)
    const voice = await findInput('Voice')
    expect(voice.value).toBe('en-US-AvaNeural')
    await user.clear(voice)
    await user.type(voice, 'en-US-JennyNeural')
    await user.type(await findInput('Synthesis label'), 'west')
    await selectOption(user, 'Speech recognizer vendor', 'Cobalt')
    await expectValue('Recognizer language', 'en_US-8khz')
    await save(user)
    expect(await readApplication(sid)).toMatchObject({
      speech_synthesis_voice: 'en-US-JennyNeural',
      speech_synthesis_label: 'west',
      speech_recognizer_language: 'en_US-8khz',
    })
    serverWithoutLists.close()
  })

  it('are typed if the vendor returns no lists, with the reason', async () => {
    const realFetch = globalThis.fetch
    const fetchSpy = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation((input, init) =>
        requestUrl(input).includes('vendor=microsoft')
          ? Promise.resolve(Response.json({ msg: 'The vendor refused the credential: expired' }, { status: 422 }))
          : realFetch(input, init),
      )
    try {
      const sid = await addApplication(microsoftVoice)
      await render(editPath(sid), { as: 'north' })
      expect(await screen.findByText(/Microsoft: The vendor refused the credential: expired/)).toBeTruthy()
      expect((await findInput('Voice')).value).toBe('en-US-AvaNeural')
    } finally {
      fetchSpy.mockRestore()
    }
  })
})
