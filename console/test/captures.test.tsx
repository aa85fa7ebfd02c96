import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildCapturedMessage } from '../../server/test/captured-message'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, backend } = useBackend()

const callId = 'reg-1@branch.example.com'
const capturesPath = '/internal/recent-calls/captures'
const callFlowPath = `${capturesPath}?call_id=${encodeURIComponent(callId)}`

const message = (startLine: string) =>
  Buffer.from(
    [
      startLine,
      `Call-ID: ${callId}`,
      'From: <sip:+442079460123@branch.example.com>;tag=1',
      'To: <sip:+442079460123@branch.example.com>',
      'CSeq: 7 REGISTER',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  )

beforeAll(() => {
  const dialogType = 'register'
  return backend().services.captureStore!.storeMessages([
    buildCapturedMessage(callId, { dialogType, payload: message('REGISTER sip:branch.example.com SIP/2.0') }),
    buildCapturedMessage(callId, { dialogType, payload: message('SIP/2.0 403 Forbidden') }),
    buildCapturedMessage('options@host'),
  ])
})

describe('captured SIP without a call record', () => {
  it('is listed and searched by an administrator, and opens its call flow', async () => {
    const { user } = await render(capturesPath, { as: 'admin' })
    expect(await screen.findByText('403 Forbidden')).toBeTruthy()
    expect(screen.getByText('No response')).toBeTruthy()
    await user.type(screen.getByRole('searchbox', { name: 'Number, address or Call-ID' }), '020 7946 0123{Enter}')
    await waitFor(() => expect(screen.queryByText('No response')).toBeNull())
    await screen.findByText('403 Forbidden')
    const link = document.querySelector('tbody a')!
    expect(link.getAttribute('href')).toBe(callFlowPath)
    await user.click(link)
    expect(await screen.findByText(/^2 messages/)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Call flow' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Download pcap' })).toBeTruthy()
  })

  it('shows a message if nothing matches', async () => {
    await render(`${capturesPath}?text=nobody`, { as: 'admin' })
    expect(await screen.findByText('No captured SIP dialogs match.')).toBeTruthy()
  })

  it('is searched only by Call-ID by other users', async () => {
    const { user } = await render(capturesPath, { as: 'provider' })
    await user.type(await screen.findByRole('searchbox', { name: 'SIP Call-ID' }), `${callId}{Enter}`)
    expect(await screen.findByText('No SIP messages with this Call-ID were captured.')).toBeTruthy()
    expect(
      screen.getByText('You can open captures of your calls and of the registrations of your carriers.'),
    ).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('explains that the server may not capture SIP', async () => {
    const v1Server = await startV1Server(backend().app)
    await render(`${capturesPath}?call_id=unknown@host`, { as: 'admin', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    expect(
      await screen.findByText('This server has no SIP messages with this Call-ID. It might not capture SIP.'),
    ).toBeTruthy()
    v1Server.close()
  })
})
