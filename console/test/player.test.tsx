import { act, screen, waitFor, within } from '@testing-library/react'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wavHeader } from '../../server/src/adapters/recordings/wav-header'
import { useBackend, type Person } from './render'

const { render, world, backend } = useBackend()

const none = 'This call has no recording. It has not arrived yet, or it was deleted.'
const name = { yyyy: '2026', mm: '11', dd: '22', format: 'wav' } as const
const pathOf = (call_sid: string) => buildRecordingPath(world().acme.account, { call_sid, ...name })

let count = 0
/** Writes a call of acme with a recording URL, and opens it. */
const openRecording = async (recording_url: (call_sid: string) => string, as: Person = 'account', features = {}) => {
  const { acme, providers } = world()
  const call_sid = `c-${(count += 1)}`
  await backend().services.callHistory.write('cdrs', [
    {
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, from: '16175550192', to: '18575550100', recording_url: recording_url(call_sid) },
      time: BigInt(Date.now()) * 1_000_000n,
    },
  ])
  const { user } = await render(`/internal/recent-calls?open=${call_sid}`, { as, features })
  await screen.findByText('Attempted at')
  return { user, call_sid }
}

/** Stores a second of silence as the recording of a call. `code`: the WAV format code. */
const keep = async (call_sid: string, code = 1) => {
  const coming = await backend().services.recordingStore.start(world().acme.account, { call_sid, ...name }, {})
  const head = wavHeader({ sampleRate: 8000, channels: 2 }, 32_000)
  head.writeUInt16LE(code, 20)
  await coming.write(head)
  await coming.write(Buffer.alloc(32_000))
  await coming.end()
}

const player = async () => within(await screen.findByRole('region', { name: 'Recording' }))

/** jsdom neither plays nor draws: a playable second of audio, and a canvas that makes no image. */
const pretend = () => {
  const audioElements: HTMLAudioElement[] = []
  vi.spyOn(globalThis, 'Audio').mockImplementation(function () {
    const audio = document.createElement('audio')
    Object.defineProperties(audio, { readyState: { value: 4 }, duration: { value: 1 } })
    audioElements.push(audio)
    return audio
  })
  const pen = new Proxy({}, { get: () => () => undefined, set: () => true })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback) => callback(null))
  return () => audioElements.forEach((audio) => audio.dispatchEvent(new Event('loadedmetadata')))
}

// jsdom cannot play, and logs an error at each attempt
beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => {})
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the recording of an open call', () => {
  it('can be downloaded and deleted before it can be played', async () => {
    await keep(`c-${count + 1}`)
    const { user, call_sid } = await openRecording(pathOf)
    const panel = await player()
    for (const button of ['Jump left', 'Play', 'Jump right'])
      expect((await panel.findByRole<HTMLButtonElement>('button', { name: button })).disabled).toBe(true)
    expect(panel.getByLabelText<HTMLInputElement>('Show latencies').disabled).toBe(true)
    expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Download record file' }).disabled).toBe(false)
    await user.click(panel.getByRole('button', { name: 'Delete record file' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain(`Are you sure you want to delete the record for call ${call_sid}?`)
    await user.click(within(question).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Successfully deleted record')
    await panel.findByText(none)
  })

  it('opens with the zoom that was chosen last', async () => {
    localStorage.setItem('trunkline.player-zoom', 'zoomed')
    const play = pretend()
    await keep(`c-${count + 1}`)
    const { user } = await openRecording(pathOf)
    const panel = await player()
    await panel.findByRole('button', { name: 'Play' })
    act(play)
    const box = panel.getByLabelText<HTMLInputElement>('Whole call')
    await waitFor(() => expect(box.disabled).toBe(false))
    expect(box.checked).toBe(false)
    await user.click(box)
    expect(box.checked).toBe(true)
    expect(localStorage.getItem('trunkline.player-zoom')).toBe('whole')
    localStorage.removeItem('trunkline.player-zoom')
  })

  it('shows that it is gone if another user has deleted it', async () => {
    await keep(`c-${count + 1}`)
    const { user, call_sid } = await openRecording(pathOf)
    const panel = await player()
    await user.click(await panel.findByRole('button', { name: 'Delete record file' }))
    await backend().services.recordingStore.remove(world().acme.account, { call_sid, ...name })
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await panel.findByText(none)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('can be loaded later if it arrives after its call', async () => {
    const { user, call_sid } = await openRecording(pathOf)
    const panel = await player()
    await panel.findByText(none)
    await keep(call_sid)
    await user.click(panel.getByRole('button', { name: 'Check again' }))
    await panel.findByRole('button', { name: 'Delete record file' })
  })

  const address = 'http://recordings.example.com/c.wav'

  /** Intercepts requests to another server; all others go to our own. */
  const otherServer = (respond: (init: RequestInit) => Response) => {
    const requests: RequestInit[] = []
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((to, init = {}) => {
      if ((to instanceof URL ? to.href : to) !== address) return send(to, init)
      requests.push(init)
      return Promise.resolve(respond(init))
    })
    return requests
  }

  it('plays from another server without a waveform, and shows why', async () => {
    const loaded = pretend()
    const requests = otherServer(() => Response.error())
    await openRecording(() => address)
    const panel = await player()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(loaded)
    await panel.findByText(
      'No waveform: the recording is on another server, and RECORDING_ORIGINS does not include http://recordings.example.com.',
    )
    for (const name of ['Play', 'Jump left', 'Jump right'])
      expect(panel.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false)
    expect(play.disabled).toBe(false)
    const link = panel.getByRole('link', { name: 'Open record file' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([address, 'noreferrer'])
    expect(panel.queryByRole('button', { name: 'Delete record file' })).toBeNull()
    expect(requests).toEqual([])
  })

  it.each([
    ['in parts', true],
    ['whole', false],
  ])('is read from another allowed origin, sent %s, without credentials', async (_, acceptsRanges) => {
    const loaded = pretend()
    const file = Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, 32_000), Buffer.alloc(32_000)])
    const requests = otherServer(({ headers }) => {
      const [, from = '0', to = '0'] =
        /bytes=(\d+)-(\d+)/.exec((headers as { range?: string } | undefined)?.range ?? '') ?? []
      const lastByte = Math.min(Number(to), file.length - 1)
      if (!acceptsRanges) return new Response(file, { headers: { 'content-type': 'audio/wav' } })
      const range = { 'content-range': `bytes ${from}-${lastByte}/${file.length}`, 'content-type': 'audio/wav' }
      return new Response(file.subarray(Number(from), lastByte + 1), { status: 206, headers: range })
    })
    await openRecording(() => address, 'account', { recordingOrigins: ['http://recordings.example.com'] })
    const panel = await player()
    await panel.findByRole('button', { name: 'Play' })
    act(loaded)
    await panel.findByRole('list', { name: 'Channels' })
    await waitFor(() => expect(panel.getByText('Caller')).toBeTruthy())
    expect(panel.queryByText(/^No waveform: /)).toBeNull()
    expect(requests.length).toBeGreaterThan(0)
    for (const { credentials, referrerPolicy, headers } of requests) {
      expect({ credentials, referrerPolicy }).toEqual({ credentials: 'omit', referrerPolicy: 'no-referrer' })
      expect(Object.keys(headers ?? {}).map((name) => name.toLowerCase())).toEqual(['range'])
    }
  })

  it('plays if the other server does not allow reading it, and shows why there is no waveform', async () => {
    const loaded = pretend()
    otherServer(() => Response.error())
    await openRecording(() => address, 'account', { recordingOrigins: ['http://recordings.example.com'] })
    const panel = await player()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(loaded)
    await panel.findByText(
      'No waveform: the recording is on another server, and recordings.example.com does not allow the console to read it (CORS).',
    )
    expect(play.disabled).toBe(false)
  })

  it('is not requested from a URL that is not the recording of its call', async () => {
    const requested: string[] = []
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
      requested.push(address as string)
      return send(address, init)
    })
    const victim = world().bolt.account
    await openRecording(() => `/Accounts/${victim}#`)
    const panel = await player()
    await panel.findByText(/^The recording URL of this call is not valid/)
    expect(panel.queryByRole('button')).toBeNull()
    expect(panel.queryByRole('link')).toBeNull()
    expect(requested.filter((url) => url.includes(victim) || url.includes('/address'))).toEqual([])
  })

  it('shows why it could not be loaded, and can be retried', async () => {
    await keep(`c-${count + 1}`)
    const archive = backend().services.recordingStore
    const weather = vi.spyOn(archive, 'find').mockRejectedValue(new Error('the disk is on fire'))
    const { user } = await openRecording(pathOf)
    const panel = await player()
    await panel.findByText('Something went wrong, please try again.')
    expect(await screen.findByRole('alert')).toBeTruthy()
    weather.mockRestore()
    await user.click(panel.getByRole('button', { name: 'Try again' }))
    await panel.findByRole('button', { name: 'Play' })
  })

  it('plays without a waveform if its encoding is not supported', async () => {
    const loaded = pretend()
    await keep(`c-${count + 1}`, 0x11)
    await openRecording(pathOf)
    const panel = await player()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(loaded)
    await panel.findByText('No waveform data')
    expect(play.disabled).toBe(false)
  })

  it('shows an error if the browser cannot export the waveform', async () => {
    const loaded = pretend()
    await keep(`c-${count + 1}`)
    const { user } = await openRecording(pathOf)
    const panel = await player()
    const image = await panel.findByRole('button', { name: 'Download waveform as image' })
    act(loaded)
    await panel.findByRole('list', { name: 'Channels' })
    await user.click(image)
    await screen.findByText('Could not export image')
    expect(panel.queryByText('No waveform data')).toBeNull()
  })

  it('cannot be deleted by a view-only user', async () => {
    await keep(`c-${count + 1}`)
    await openRecording(pathOf, 'viewer')
    const panel = await player()
    await panel.findByRole('button', { name: 'Play' })
    expect(panel.queryByRole('button', { name: 'Delete record file' })).toBeNull()
  })

  it('is hidden if call recording is disabled', async () => {
    await keep(`c-${count + 1}`)
    await openRecording(pathOf, 'account', { callRecording: false })
    await waitFor(() => expect(screen.getByText('Attempted at')).toBeTruthy())
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(screen.queryByRole('img', { name: 'Recorded' })).toBeNull()
  })
})
