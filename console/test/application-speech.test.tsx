import { act, screen, waitFor } from '@testing-library/react'
import type { Application } from '@trunkline/contract/shapes/application'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { choose, input, offered, searchAndChoose, expectValue } from './form-inputs'
import { startV1Server } from './v1-server'
import { useBackend } from './render'
import { speechLists } from './speech-catalogues'

const { render, ask, backend, world } = useBackend()
let server: Awaited<ReturnType<typeof startV1Server>>

// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
beforeAll(async () => {
  server = await startV1Server(backend().app, speechLists)
})
beforeEach(() => {
  server.asked.length = 0
})
afterAll(() => server.close())

const hook = { url: 'https://a.example.com/call' }
let serial = 0
const add = async (draft: object = {}) =>
  (
    await ask<{ sid: string }>('admin', 'POST', '/Applications', {
      account_sid: world().accounts.acme,
      name: `speaks ${++serial}`,
      call_hook: hook,
      call_status_hook: hook,
      ...draft,
    })
  ).sid
const read = (sid: string) => ask<Application>('admin', 'GET', `/Applications/${sid}`)

const page = (sid: string) => `/internal/applications/${sid}/edit`
/** Opens the form with a server that lists languages and voices, and waits for the lists of the stored vendor. */
const open = async (sid: string) => {
  const opened = await render(page(sid), { as: 'north', features: { apiBaseUrl: server.base } })
  await input('Speech synthesis vendor')
  await waitFor(() => expect(screen.queryByPlaceholderText('Loading')).toBeNull())
  return opened
}

const save = async (user: UserEvent) => {
  await user.click(await screen.findByText('Save'))
  await screen.findByText('Application updated successfully')
}

describe('the speech settings of an application', () => {
  it("offer the vendor's languages and voices, and reset them for another vendor", async () => {
    const sid = await add()
    const { user } = await open(sid)
    await expectValue('Synthesis language', 'en-US by name')
    await expectValue('Voice', 'en-US-Standard-C by name')
    await choose(user, 'Speech synthesis vendor', 'ElevenLabs')
    await expectValue('Synthesis language', 'en by name')
    await expectValue('Voice', 'Rachel by name')
    await choose(user, 'Synthesis language', 'de by name')
    await expectValue('Voice', 'Hans by name')
    await choose(user, 'Speech recognizer vendor', 'Cobalt')
    await expectValue('Recognizer language', 'en_US-8khz by name')
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_vendor: 'elevenlabs',
      speech_synthesis_label: null,
      speech_synthesis_language: 'de',
      speech_synthesis_voice: 'Hans',
      speech_recognizer_vendor: 'cobalt',
      speech_recognizer_language: 'en_US-8khz',
    })
    expect(
      server.asked.filter((call) => call.includes('/ServiceProviders/')).some((call) => call.includes('/speech/')),
    ).toBe(true)
  })

  it('request only the lists of the last chosen vendor, once, after 200 ms', async () => {
    const { user } = await open(await add())
    const real = globalThis.setTimeout
    const waiting: (() => void)[] = []
    const timers = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number) =>
        ms === 200 ? waiting.push(run) : real(run, ms)) as typeof setTimeout)
    const fetched = vi.spyOn(globalThis, 'fetch')
    try {
      await choose(user, 'Speech synthesis vendor', 'ElevenLabs')
      await choose(user, 'Speech synthesis vendor', 'Deepgram')
      act(() => {
        for (const run of waiting) run()
      })
      await expectValue('Synthesis model', 'aura-asteria-en by name')
      const vendors = fetched.mock.calls.flatMap(([input]) => {
        const url = String(input instanceof Request ? input.url : input)
        return url.includes('supportedLanguagesAndVoices') ? (new URL(url).searchParams.get('vendor') ?? '') : []
      })
      expect(vendors).toEqual(['deepgram'])
    } finally {
      timers.mockRestore()
      fetched.mockRestore()
    }
  })

  it('offer the labels of the credentials, and the lists of the chosen one', async () => {
    const sid = await add({ speech_synthesis_voice: 'custom_v1' })
    const { user } = await open(sid)
    await expectValue('Voice', 'Our receptionist')
    expect(await offered(user, 'Synthesis label')).toEqual(['None', 'eu'])
    await choose(user, 'Synthesis label', 'eu')
    await expectValue('Synthesis language', 'fr-FR by name')
    await expectValue('Voice', 'fr-FR-Standard-A by name')
    await save(user)
    expect(await read(sid)).toMatchObject({ speech_synthesis_label: 'eu', speech_synthesis_voice: 'fr-FR-Standard-A' })
  })

  it("offer Deepgram's models as voices, and only labels that support the direction", async () => {
    const sid = await add()
    const { user } = await open(sid)
    await choose(user, 'Speech synthesis vendor', 'Deepgram')
    await expectValue('Synthesis model', 'aura-asteria-en by name')
    expect(screen.queryByLabelText(/^Synthesis language/)).toBeNull()
    expect(await offered(user, 'Synthesis label')).toEqual(['None'])
    await choose(user, 'Speech recognizer vendor', 'Deepgram')
    await expectValue('Recognizer language', 'en-US by name')
    await choose(user, 'Recognizer label', 'listens only')
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_vendor: 'deepgram',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'aura-asteria-en',
      speech_recognizer_label: 'listens only',
    })
  })

  it('are typed for a custom vendor, which is offered only for its directions', async () => {
    const sid = await add()
    const { user } = await open(sid)
    expect(await offered(user, 'Speech recognizer vendor')).not.toContain('Voice Mill (custom)')
    await choose(user, 'Speech synthesis vendor', 'Voice Mill (custom)')
    const language = await input('Synthesis language')
    await user.click(await screen.findByText('Save'))
    expect(await screen.findByText('Synthesis language is required.')).toBeTruthy()
    expect(screen.getByText('Voice is required.')).toBeTruthy()
    await user.type(language, 'klingon')
    await user.type(await input('Voice'), 'worf')
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_vendor: 'custom:Voice Mill',
      speech_synthesis_language: 'klingon',
      speech_synthesis_voice: 'worf',
    })
  })

  it('accept a custom voice that is on no list', async () => {
    const sid = await add()
    const { user } = await open(sid)
    await searchAndChoose(user, 'Voice', 'en-US-OurOwn', 'Use en-US-OurOwn')
    await expectValue('Voice', 'en-US-OurOwn')
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-OurOwn',
    })
  })

  it('offer vendors sorted by name, without those that are disabled', async () => {
    const features = { apiBaseUrl: server.base, customSpeech: false, additionalSpeech: false }
    const { user } = await render(page(await add()), { as: 'north', features })
    await expectValue('Synthesis language', 'en-US by name')
    expect(await offered(user, 'Speech synthesis vendor')).not.toContain('Voice Mill (custom)')
    const vendors = await offered(user, 'Speech recognizer vendor')
    expect(vendors).toEqual(vendors.toSorted((one, other) => (one ?? '').localeCompare(other ?? '')))
    expect(vendors).toContain('SoundHound')
    expect(vendors).not.toContain('Speechmatics')
  })

  it('leave out a language that is too long to store', async () => {
    const { user } = await open(await add())
    await choose(user, 'Speech synthesis vendor', 'Microsoft')
    await expectValue('Voice', 'Xiaoxiao by name')
    expect(await offered(user, 'Synthesis language')).toEqual(['zh-CN by name'])
  })

  it('can be swapped with those of the fallback vendor', async () => {
    const sid = await add()
    const { user } = await open(sid)
    await user.click(await input('Use a fallback speech vendor'))
    const swap = await screen.findByText('Swap primary and fallback')
    expect((swap as HTMLButtonElement).disabled).toBe(true)
    await user.click(await screen.findByText('Save'))
    expect(await screen.findByText('Choose a fallback vendor for synthesis, recognition or both.')).toBeTruthy()
    await choose(user, 'Fallback speech synthesis vendor', 'ElevenLabs')
    await expectValue('Fallback voice', 'Rachel by name')
    await user.click(swap)
    await expectValue('Speech synthesis vendor', 'ElevenLabs')
    await expectValue('Voice', 'Rachel by name')
    await expectValue('Fallback voice', 'en-US-Standard-C by name')
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
    expect(await read(sid)).toMatchObject(swapped)
    await user.click(await input('Use a fallback speech vendor'))
    await user.click(await screen.findByText('Save'))
    await waitFor(async () =>
      expect(await read(sid)).toMatchObject({
        use_for_fallback_speech: 0,
        fallback_speech_synthesis_vendor: null,
        fallback_speech_synthesis_voice: null,
      }),
    )
  })

  it('are not swapped while lists are loading, and put the lists in the right field', async () => {
    const sid = await add()
    const { user } = await open(sid)
    await user.click(await input('Use a fallback speech vendor'))
    const swap = await screen.findByText('Swap primary and fallback')
    const real = globalThis.fetch
    let release = () => {}
    const held = new Promise<void>((done) => (release = done))
    let isAsked = false
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (String(input instanceof Request ? input.url : input).includes('vendor=elevenlabs')) {
        isAsked = true
        await held
      }
      return real(input, init)
    })
    try {
      await choose(user, 'Fallback speech synthesis vendor', 'ElevenLabs')
      await user.click(swap)
      await waitFor(() => expect(isAsked).toBe(true))
      await user.click(swap)
      expect(swap.getAttribute('aria-busy')).toBe('true')
      await expectValue('Speech synthesis vendor', 'Google')
      release()
      await expectValue('Fallback voice', 'Rachel by name')
    } finally {
      release()
      asked.mockRestore()
    }
    await waitFor(() => expect(swap.getAttribute('aria-busy')).toBeNull())
    await user.click(swap)
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_vendor: 'elevenlabs',
      speech_synthesis_voice: 'Rachel',
      fallback_speech_synthesis_vendor: 'google',
      fallback_speech_synthesis_voice: 'en-US-Standard-C',
    })
  })

  it('are typed if the server lists nothing, with one note about it', async () => {
    const without = await startV1Server(
      backend().app,
      undefined,
      /\/(Abilities|GoogleCustomVoices)$|\/SpeechCredentials/,
    )
    const sid = await add({ speech_synthesis_vendor: 'microsoft', speech_synthesis_voice: 'en-US-AvaNeural' })
    const { user } = await render(page(sid), { as: 'north', features: { apiBaseUrl: without.base } })
    await screen.findByText(
      'This server has no list of languages and voices for Microsoft and Google. Enter them as the vendor writes them. ' +
        'This server does not list speech services. Enter the label of the one to use.',
    )
    expect(screen.getAllByText(/does not list/)).toHaveLength(1)
    const voice = await input('Voice')
    expect(voice.value).toBe('en-US-AvaNeural')
    await user.clear(voice)
    await user.type(voice, 'en-US-JennyNeural')
    await user.type(await input('Synthesis label'), 'west')
    await choose(user, 'Speech recognizer vendor', 'Cobalt')
    await expectValue('Recognizer language', 'en_US-8khz')
    await save(user)
    expect(await read(sid)).toMatchObject({
      speech_synthesis_voice: 'en-US-JennyNeural',
      speech_synthesis_label: 'west',
      speech_recognizer_language: 'en_US-8khz',
    })
    without.close()
  })

  it('are typed if the vendor returns no lists, with the reason', async () => {
    const real = globalThis.fetch
    const asked = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation((input, init) =>
        String(input instanceof Request ? input.url : input).includes('vendor=microsoft')
          ? Promise.resolve(Response.json({ msg: 'The vendor refused the credential: expired' }, { status: 422 }))
          : real(input, init),
      )
    try {
      const sid = await add({ speech_synthesis_vendor: 'microsoft', speech_synthesis_voice: 'en-US-AvaNeural' })
      await render(page(sid), { as: 'north' })
      expect(await screen.findByText(/Microsoft: The vendor refused the credential: expired/)).toBeTruthy()
      expect((await input('Voice')).value).toBe('en-US-AvaNeural')
    } finally {
      asked.mockRestore()
    }
  })
})
