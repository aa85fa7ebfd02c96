import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { talk, type Seen } from '../../server/test/external/hep-agent'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, world, backend } = useBackend()

const end = ([address, port]: Seen['source']) => ({ address: Buffer.from(address.split('.').map(Number)), port })

/** Stores a capture of a call as voice servers send it. */
const capture = (callId: string, seen: Seen[]) =>
  backend().services.captureStore!.add(
    seen.map(({ source, target, time, payload }) => ({
      callId,
      dialogue: 'invite',
      source: end(source),
      target: end(target),
      time,
      payload: Buffer.from(payload),
    })),
  )

const record = (call_sid: string, sip_callid: string, fields: object = {}) => {
  const { acme, providers } = world()
  return backend().services.callHistory.write('cdrs', [
    {
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, sip_callid, from: '16175550192', to: '18575550100', ...fields },
      time: BigInt(Date.now()) * 1_000_000n,
    },
  ])
}

beforeAll(async () => {
  const start = Date.now() * 1000
  await capture('a-leg@host', talk({ callId: 'a-leg@host', start }))
  await capture(
    'b-leg@host',
    talk({
      callId: 'b-leg@host',
      start: start + 5000,
      caller: ['203.0.113.10', 5060],
      callee: ['192.0.2.61', 5062],
      to: '+1999',
    }),
  )
  const many = Array.from({ length: 63 }, (_, at) =>
    talk({ callId: 'long@host', start: start + at * 40_000_000 }),
  ).flat()
  await capture('long@host', many)
  await record('c-a', 'a-leg@host')
  await record('c-b', 'b-leg@host', { sip_parent_callid: 'a-leg@host' })
  await record('c-long', 'long@host')
  await record('c-none', 'none@host')
})

/** A pcap file from another program. */
const pcapOf = (seen: Seen[]) =>
  Buffer.concat([
    Buffer.from('d4c3b2a1020004000000000000000000ffff000065000000', 'hex'),
    ...seen.map(({ source, target, time, payload }) => {
      const content = Buffer.from(payload)
      const head = Buffer.alloc(44)
      head.writeUInt32LE(Math.floor(time / 1e6), 0)
      head.writeUInt32LE(time % 1e6, 4)
      head.writeUInt32LE(28 + content.length, 8)
      head.writeUInt32LE(28 + content.length, 12)
      head.writeUInt16BE(0x4500, 16)
      head.writeUInt16BE(28 + content.length, 18)
      head.writeUInt8(17, 25)
      Buffer.concat([end(source).address, end(target).address]).copy(head, 28)
      for (const [at, value] of [source[1], target[1], 8 + content.length].entries())
        head.writeUInt16BE(value, 36 + at * 2)
      return Buffer.concat([head, content])
    }),
  ])

const open = async (callSid: string) => {
  const { user } = await render(`/internal/recent-calls?open=${callSid}`, { as: 'account' })
  await user.click(await screen.findByRole('tab', { name: 'Call flow' }))
  const list = await screen.findByRole('listbox', { name: 'Messages' })
  return { user, list }
}
const lines = () => screen.getAllByRole('option').map((line) => line.textContent)
const facts = () => within(screen.getByRole('region', { name: 'Selected message' }))

describe('the flow of a call', () => {
  it('shows the messages between hosts, with retransmissions on request', async () => {
    const { user } = await open('c-a')
    expect(lines()).toEqual([
      '0.000+0 msINVITESDP1 retransmission from 198.51.100.24:5060 to 203.0.113.10:5060',
      '0.502+502 ms100 Trying from 203.0.113.10:5060 to 198.51.100.24:5060',
      '0.900+398 ms180 Ringing from 203.0.113.10:5060 to 198.51.100.24:5060',
      '2.400+1.50 s200 OKSDP from 203.0.113.10:5060 to 198.51.100.24:5060',
      '2.430+30 msACK from 198.51.100.24:5060 to 203.0.113.10:5060',
      '9.400+6.97 sBYE from 203.0.113.10:5060 to 198.51.100.24:5060',
      '9.410+10 ms200 OK from 198.51.100.24:5060 to 203.0.113.10:5060',
    ])
    expect(screen.getByText('7 messages · 2 participants · 9.41 s')).toBeTruthy()
    const columns = within(screen.getByRole('list', { name: 'Participants' })).getAllByRole('listitem')
    expect(columns.map((column) => column.textContent)).toEqual(['198.51.100.245060', '203.0.113.105060'])
    expect(screen.queryByRole('combobox', { name: /^Leg/ })).toBeNull()
    await user.click(screen.getByRole('option', { name: /^0\.900/ }))
    await user.click(screen.getByRole('checkbox', { name: 'Show retransmissions' }))
    expect(lines()).toHaveLength(8)
    expect(lines()[1]).toContain('INVITESDPretransmission')
    // the selected message stays selected
    expect(facts().getByRole('heading', { name: '180 Ringing' })).toBeTruthy()
    expect(facts().getByText('4 of 8')).toBeTruthy()
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('180 Ringing')
  })

  it('selects a message by click or key, shows its headers and SDP, and copies it', async () => {
    const { user, list } = await open('c-a')
    expect(facts().getByText('1 of 7')).toBeTruthy()
    await user.click(screen.getByRole('option', { name: /^2\.400/ }))
    expect(facts().getByRole('heading', { name: '200 OK' })).toBeTruthy()
    expect(facts().getByText('SIP/2.0 200 OK')).toBeTruthy()
    expect(facts().getByText('a-leg@host')).toBeTruthy()
    expect(facts().getByText('203.0.113.10:50002')).toBeTruthy()
    expect(facts().getByText('PCMU, PCMA, telephone-event')).toBeTruthy()
    expect(facts().getByRole('region', { name: 'SDP' }).textContent).toContain('m=audio 50002 RTP/AVP 0 8 101')
    await user.click(facts().getByRole('button', { name: 'Copy message' }))
    expect(await navigator.clipboard.readText()).toMatch(/^SIP\/2\.0 200 OK\r\nVia/)
    list.focus()
    await user.keyboard('{ArrowDown}')
    expect(facts().getByRole('heading', { name: 'ACK' })).toBeTruthy()
    await user.keyboard('{End}')
    expect(facts().getByText('7 of 7')).toBeTruthy()
    expect(facts().getByRole<HTMLButtonElement>('button', { name: 'Next message' }).disabled).toBe(true)
    await user.click(facts().getByRole('button', { name: 'Previous message' }))
    expect(facts().getByRole('heading', { name: 'BYE' })).toBeTruthy()
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('BYE')
  })

  it('shows both legs of a call that has a parent call, or only one', async () => {
    const { user } = await open('c-b')
    expect(lines()).toHaveLength(14)
    expect(screen.getByText(/3 participants/)).toBeTruthy()
    await user.click(screen.getByRole('combobox', { name: /^Leg/ }))
    await user.click(await screen.findByRole('option', { name: '+16175550192 → +1999, 8 messages', hidden: true }))
    await waitFor(() => expect(lines()).toHaveLength(7))
    expect(screen.getByText(/2 participants/)).toBeTruthy()
    expect(lines()[0]).toContain('to 192.0.2.61:5062')
  })

  it("reads another capture file from disk, and returns to the call's capture", async () => {
    const { user } = await open('c-a')
    const choose = (name: string, content: Uint8Array) =>
      user.upload(
        screen.getByLabelText('Open another capture', { selector: 'input' }),
        new File([content.slice()], name),
      )
    await choose('notes.pcap', Buffer.from('This is a letter to grandmother.'))
    await screen.findByText(/The console cannot read this packet capture/)
    await user.click(screen.getByRole('button', { name: 'Back to the capture of this call' }))
    await waitFor(() => expect(lines()).toHaveLength(7))
    const [invite, , , , , , bye] = talk({ callId: 'far@host', start: 1_700_000_000_000_000 })
    const sound = Array.from({ length: 100 }, (_, at): Seen => ({
      source: ['198.51.100.24', 40_218],
      target: ['203.0.113.10', 50_002],
      time: invite!.time + 3_000_000 + at * 20_000,
      payload: Buffer.from([0x80, 8, 0, at + (at > 50 ? 5 : 0), 0, 0, 0, 0, 0, 0, 0, 9, 1]),
    }))
    await choose('carrier.pcap', pcapOf([invite!, ...sound, bye!]))
    await screen.findByText('carrier.pcap')
    expect(lines()).toEqual([
      expect.stringMatching(/^0\.000\+0 msINVITE/),
      '3.000RTP PCMA, 1.98 s from 198.51.100.24:40218 to 203.0.113.10:50002',
      expect.stringMatching(/^9\.400\+9\.40 sBYE/),
    ])
    await user.click(screen.getAllByRole('option')[1]!)
    expect(facts().getByText('5 (4.8 %)')).toBeTruthy()
    expect(facts().getByText('0x00000009')).toBeTruthy()
    expect(facts().queryByRole('button', { name: 'Copy message' })).toBeNull()
  })

  it('renders only the visible part of a long ladder', async () => {
    // jsdom has no layout
    const height = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const { user, list } = await open('c-long')
    expect(await screen.findByText(/^441 messages/)).toBeTruthy()
    await waitFor(() => expect(lines().length).toBeLessThan(60))
    expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('441')
    // a message selected with the buttons scrolls into view
    for (let at = 0; at < 12; at += 1) await user.click(facts().getByRole('button', { name: 'Next message' }))
    expect(facts().getByText('13 of 441')).toBeTruthy()
    expect(list.parentElement?.scrollTop).toBe(13 * 30 - (400 - 52))
    height.mockRestore()
  })

  it('is not offered if nothing was captured', async () => {
    await render('/internal/recent-calls?open=c-none', { as: 'account' })
    await screen.findByText('none@host')
    expect(await screen.findByText('No SIP messages were captured for this call.')).toBeTruthy()
    expect(screen.getByText('This call was not traced.')).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download pcap' })).toBeNull()
  })

  it('explains that the server may not capture SIP', async () => {
    const server = await startV1Server(backend().app)
    await render('/internal/recent-calls?open=c-none', { as: 'account', features: { apiBaseUrl: server.base } })
    expect(
      await screen.findByText('This server has no SIP messages for this call. It may not capture SIP.'),
    ).toBeTruthy()
    server.close()
  })
})
