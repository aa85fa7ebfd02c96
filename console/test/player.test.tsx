import { act, screen, waitFor, within } from '@testing-library/react'
import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildWavHeader } from '../../server/src/adapters/recordings/wav-header'
import { setSingleKeysOn } from '../src/lib/single-key'
import { useBackend, type TestUser } from './render'

const { render, testData, backend } = useBackend()

const noRecordingMessage = 'No recording of this call is stored. It has not arrived yet, or it was deleted.'
const recordingName = { yyyy: '2026', mm: '11', dd: '22', format: 'wav' } as const
const recordingPathOf = (call_sid: string) =>
  buildRecordingPath(testData().acme.account, { call_sid, ...recordingName })

let callCount = 0
/** Writes a call of acme with a recording URL, and opens it. */
const openRecording = async (recording_url: (call_sid: string) => string, as: TestUser = 'account', features = {}) => {
  const { acme, providers } = testData()
  const call_sid = `c-${(callCount += 1)}`
  await backend().services.callHistory.writePoints('cdrs', [
    {
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, from: '16175550192', to: '18575550100', recording_url: recording_url(call_sid) },
      timeNs: BigInt(Date.now()) * 1_000_000n,
    },
  ])
  const { user } = await render(`/internal/recent-calls?open=${call_sid}`, { as, features })
  await screen.findByText('Attempted at')
  return { user, call_sid }
}

/** Stores a second of silence as the recording of a call. */
const storeRecording = async (call_sid: string, formatCode = 1) => {
  const upload = await backend().services.recordingStore.startRecording(
    testData().acme.account,
    { call_sid, ...recordingName },
    {},
  )
  const header = buildWavHeader({ sampleRate: 8000, channels: 2 }, 32_000)
  header.writeUInt16LE(formatCode, 20)
  await upload.write(header)
  await upload.write(Buffer.alloc(32_000))
  await upload.end()
}

const findPlayer = async () => within(await screen.findByRole('region', { name: 'Recording' }))

/**
 * Replaces what jsdom cannot play or draw: audio of one second, and a canvas that creates no image. Returns a function
 * that reports the audio as loaded.
 */
const stubPlayback = () => {
  const audioElements: HTMLAudioElement[] = []
  vi.spyOn(globalThis, 'Audio').mockImplementation(function () {
    const audio = document.createElement('audio')
    Object.defineProperties(audio, { readyState: { value: 4 }, duration: { value: 1 } })
    audioElements.push(audio)
    return audio
  })
  const drawingContext = new Proxy({}, { get: () => () => undefined, set: () => true })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(drawingContext as never)
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
    await storeRecording(`c-${callCount + 1}`)
    const { user, call_sid } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    for (const button of ['Jump left', 'Play', 'Jump right'])
      expect((await panel.findByRole<HTMLButtonElement>('button', { name: button })).disabled).toBe(true)
    expect(panel.getByLabelText<HTMLInputElement>('Show latencies').disabled).toBe(true)
    expect(panel.getByRole<HTMLButtonElement>('button', { name: 'Download record file' }).disabled).toBe(false)
    await user.click(panel.getByRole('button', { name: 'Delete record file' }))
    const dialog = await screen.findByRole('alertdialog')
    expect(dialog.textContent).toContain(`Are you sure you want to delete the record for call ${call_sid}?`)
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Successfully deleted record')
    await panel.findByText(noRecordingMessage)
  })

  it('opens with the zoom that was chosen last', async () => {
    localStorage.setItem('trunkline.player-zoom', 'zoomed')
    const fireLoadedMetadata = stubPlayback()
    await storeRecording(`c-${callCount + 1}`)
    const { user } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    await panel.findByRole('button', { name: 'Play' })
    act(fireLoadedMetadata)
    const zoomCheckbox = panel.getByLabelText<HTMLInputElement>('Fit whole call')
    await waitFor(() => expect(zoomCheckbox.disabled).toBe(false))
    expect(zoomCheckbox.checked).toBe(false)
    await user.click(zoomCheckbox)
    expect(zoomCheckbox.checked).toBe(true)
    expect(localStorage.getItem('trunkline.player-zoom')).toBe('whole')
    localStorage.removeItem('trunkline.player-zoom')
  })

  it('is played and skipped by keys anywhere on the screen, except where they do something else', async () => {
    const fireLoadedMetadata = stubPlayback()
    const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    const seek = vi.spyOn(HTMLMediaElement.prototype, 'currentTime', 'set')
    await storeRecording(`c-${callCount + 1}`)
    const { user } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    await panel.findByRole('button', { name: 'Play' })
    act(fireLoadedMetadata)
    const row = screen.getByRole('link', { current: true })
    for (const element of [row, document.getElementById('main')!]) {
      element.focus()
      await user.keyboard(' {ArrowLeft}{ArrowRight}')
      expect([play.mock.calls.length, seek.mock.calls.length]).toEqual([1, 2])
      play.mockClear()
      seek.mockClear()
    }
    screen.getByLabelText('Filter').focus()
    await user.keyboard(' {ArrowLeft}')
    screen.getByRole('separator', { name: 'Width of the list' }).focus()
    await user.keyboard(' {ArrowLeft}')
    row.focus()
    await user.keyboard('{Control>}{ArrowLeft}{/Control}{Shift>}{ArrowLeft}{/Shift}')
    screen.getByRole('button', { name: 'Pause live refresh' }).focus()
    await user.keyboard(' ')
    expect(await screen.findByRole('button', { name: 'Resume live refresh' })).toBeTruthy()
    setSingleKeysOn(false)
    row.focus()
    await user.keyboard(' ')
    setSingleKeysOn(true)
    expect([play.mock.calls, seek.mock.calls]).toEqual([[], []])
  })

  it('shows that it is gone if another user has deleted it', async () => {
    await storeRecording(`c-${callCount + 1}`)
    const { user, call_sid } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    await user.click(await panel.findByRole('button', { name: 'Delete record file' }))
    await backend().services.recordingStore.removeRecording(testData().acme.account, { call_sid, ...recordingName })
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await panel.findByText(noRecordingMessage)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('can be loaded later if it arrives after its call', async () => {
    const { user, call_sid } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    await panel.findByText(noRecordingMessage)
    await storeRecording(call_sid)
    await user.click(panel.getByRole('button', { name: 'Check again' }))
    await panel.findByRole('button', { name: 'Delete record file' })
  })

  const externalUrl = 'http://recordings.example.com/c.wav'

  /** Intercepts requests for the external recording. All others reach the server. */
  const interceptExternalRequests = (respond: (init: RequestInit) => Response) => {
    const requests: RequestInit[] = []
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
      if ((input instanceof URL ? input.href : input) !== externalUrl) return send(input, init)
      requests.push(init)
      return Promise.resolve(respond(init))
    })
    return requests
  }

  it('plays from another server without a waveform, and shows why', async () => {
    const fireLoadedMetadata = stubPlayback()
    const requests = interceptExternalRequests(() => Response.error())
    await openRecording(() => externalUrl)
    const panel = await findPlayer()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(fireLoadedMetadata)
    await panel.findByText(
      'No waveform: the recording is on another server, and RECORDING_ORIGINS does not include http://recordings.example.com.',
    )
    for (const name of ['Play', 'Jump left', 'Jump right'])
      expect(panel.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false)
    expect(play.disabled).toBe(false)
    const link = panel.getByRole('link', { name: 'Open record file' })
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([externalUrl, 'noreferrer'])
    expect(panel.queryByRole('button', { name: 'Delete record file' })).toBeNull()
    expect(requests).toEqual([])
  })

  it.each([
    ['in parts', true],
    ['whole', false],
  ])('is read from another allowed origin, sent %s, without credentials', async (_, acceptsRanges) => {
    const fireLoadedMetadata = stubPlayback()
    const file = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 32_000), Buffer.alloc(32_000)])
    const requests = interceptExternalRequests(({ headers }) => {
      const [, from = '0', to = '0'] =
        /bytes=(\d+)-(\d+)/.exec((headers as { range?: string } | undefined)?.range ?? '') ?? []
      const lastByte = Math.min(Number(to), file.length - 1)
      if (!acceptsRanges) return new Response(file, { headers: { 'content-type': 'audio/wav' } })
      const range = { 'content-range': `bytes ${from}-${lastByte}/${file.length}`, 'content-type': 'audio/wav' }
      return new Response(file.subarray(Number(from), lastByte + 1), { status: 206, headers: range })
    })
    await openRecording(() => externalUrl, 'account', { recordingOrigins: ['http://recordings.example.com'] })
    const panel = await findPlayer()
    await panel.findByRole('button', { name: 'Play' })
    act(fireLoadedMetadata)
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
    const fireLoadedMetadata = stubPlayback()
    interceptExternalRequests(() => Response.error())
    await openRecording(() => externalUrl, 'account', { recordingOrigins: ['http://recordings.example.com'] })
    const panel = await findPlayer()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(fireLoadedMetadata)
    await panel.findByText(
      'No waveform: the recording is on another server, and recordings.example.com does not allow the console to read it (CORS).',
    )
    expect(play.disabled).toBe(false)
  })

  it('is not requested from a URL that is not the recording of its call', async () => {
    const requestedUrls: string[] = []
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
      requestedUrls.push(address as string)
      return send(address, init)
    })
    const foreignAccountSid = testData().bolt.account
    await openRecording(() => `/Accounts/${foreignAccountSid}#`)
    const panel = await findPlayer()
    await panel.findByText(/^The recording URL of this call is not valid/)
    expect(panel.queryByRole('button')).toBeNull()
    expect(panel.queryByRole('link')).toBeNull()
    expect(requestedUrls.filter((url) => url.includes(foreignAccountSid) || url.includes('/address'))).toEqual([])
  })

  it('shows why it could not be loaded, and can be retried', async () => {
    await storeRecording(`c-${callCount + 1}`)
    const recordingStore = backend().services.recordingStore
    const findSpy = vi.spyOn(recordingStore, 'findRecording').mockRejectedValue(new Error('the disk is on fire'))
    const { user } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    await panel.findByText('Something went wrong, please try again.')
    expect(await screen.findByRole('alert')).toBeTruthy()
    findSpy.mockRestore()
    await user.click(panel.getByRole('button', { name: 'Try again' }))
    await panel.findByRole('button', { name: 'Play' })
  })

  it('plays without a waveform if its encoding is not supported', async () => {
    const fireLoadedMetadata = stubPlayback()
    await storeRecording(`c-${callCount + 1}`, 0x11)
    await openRecording(recordingPathOf)
    const panel = await findPlayer()
    const play = await panel.findByRole<HTMLButtonElement>('button', { name: 'Play' })
    act(fireLoadedMetadata)
    await panel.findByText('No waveform data')
    expect(play.disabled).toBe(false)
  })

  it('shows an error if the browser cannot export the waveform', async () => {
    const fireLoadedMetadata = stubPlayback()
    await storeRecording(`c-${callCount + 1}`)
    const { user } = await openRecording(recordingPathOf)
    const panel = await findPlayer()
    const imageButton = await panel.findByRole('button', { name: 'Download waveform as image' })
    act(fireLoadedMetadata)
    await panel.findByRole('list', { name: 'Channels' })
    await user.click(imageButton)
    await screen.findByText('Could not export image')
    expect(panel.queryByText('No waveform data')).toBeNull()
  })

  it('cannot be deleted by a view-only user', async () => {
    await storeRecording(`c-${callCount + 1}`)
    await openRecording(recordingPathOf, 'viewer')
    const panel = await findPlayer()
    await panel.findByRole('button', { name: 'Play' })
    expect(panel.queryByRole('button', { name: 'Delete record file' })).toBeNull()
  })

  it('is hidden if call recording is disabled', async () => {
    await storeRecording(`c-${callCount + 1}`)
    await openRecording(recordingPathOf, 'account', { callRecording: false })
    await waitFor(() => expect(screen.getByText('Attempted at')).toBeTruthy())
    expect(screen.queryByRole('region', { name: 'Recording' })).toBeNull()
    expect(screen.queryByRole('img', { name: 'Recorded' })).toBeNull()
  })
})
