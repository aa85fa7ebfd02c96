import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildDialog, type AgentMessage } from '../../server/test/external/hep-agent'
import { bytes, ip4, pcap, sip, tcp, udp } from './build-packets'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, testData, backend } = useBackend()

const endpointOf = ([address, port]: AgentMessage['source']) => ({
  address: Buffer.from(address.split('.').map(Number)),
  port,
})

/** Stores a capture of a call as voice servers send it. */
const storeCapture = (callId: string, messages: AgentMessage[]) =>
  backend().services.captureStore!.storeMessages(
    messages.map(({ source, target, timeUs: time, payload }) => ({
      callId,
      dialogType: 'invite',
      source: endpointOf(source),
      target: endpointOf(target),
      timeUs: time,
      payload: Buffer.from(payload),
    })),
  )

const writeCall = (call_sid: string, sip_callid: string, fields: object = {}) => {
  const { acme, providers } = testData()
  return backend().services.callHistory.writePoints('cdrs', [
    {
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, sip_callid, from: '16175550192', to: '18575550100', ...fields },
      timeNs: BigInt(Date.now()) * 1_000_000n,
    },
  ])
}

beforeAll(async () => {
  const startMicros = Date.now() * 1000
  await storeCapture('a-leg@host', buildDialog({ callId: 'a-leg@host', startUs: startMicros }))
  await storeCapture(
    'b-leg@host',
    buildDialog({
      callId: 'b-leg@host',
      startUs: startMicros + 5000,
      caller: ['203.0.113.10', 5060],
      callee: ['192.0.2.61', 5062],
      to: '+1999',
    }),
  )
  const longDialog = Array.from({ length: 63 }, (_, index) =>
    buildDialog({ callId: 'long@host', startUs: startMicros + index * 40_000_000 }),
  ).flat()
  await storeCapture('long@host', longDialog)
  await writeCall('c-a', 'a-leg@host')
  await writeCall('c-b', 'b-leg@host', { sip_parent_callid: 'a-leg@host' })
  await writeCall('c-long', 'long@host')
  await writeCall('c-none', 'none@host')
})

/** A pcap file from another program. */
const pcapOf = (messages: AgentMessage[]) =>
  Buffer.concat([
    Buffer.from('d4c3b2a1020004000000000000000000ffff000065000000', 'hex'),
    ...messages.map(({ source, target, timeUs: time, payload }) => {
      const content = Buffer.from(payload)
      const header = Buffer.alloc(44)
      header.writeUInt32LE(Math.floor(time / 1e6), 0)
      header.writeUInt32LE(time % 1e6, 4)
      header.writeUInt32LE(28 + content.length, 8)
      header.writeUInt32LE(28 + content.length, 12)
      header.writeUInt16BE(0x4500, 16)
      header.writeUInt16BE(28 + content.length, 18)
      header.writeUInt8(17, 25)
      Buffer.concat([endpointOf(source).address, endpointOf(target).address]).copy(header, 28)
      for (const [index, value] of [source[1], target[1], 8 + content.length].entries())
        header.writeUInt16BE(value, 36 + index * 2)
      return Buffer.concat([header, content])
    }),
  ])

const openCallFlow = async (callSid: string) => {
  const { user } = await render(`/internal/recent-calls?open=${callSid}`, { as: 'account' })
  await user.click(await screen.findByRole('tab', { name: 'Call flow' }))
  const messageList = await screen.findByRole('listbox', { name: 'Messages' })
  return { user, list: messageList }
}
const messageLines = () => screen.getAllByRole('option').map((line) => line.textContent)
const messageDetails = () => within(screen.getByRole('region', { name: 'Selected message' }))

describe('the flow of a call', () => {
  it('shows the messages between hosts, with retransmissions on request', async () => {
    const { user } = await openCallFlow('c-a')
    expect(messageLines()).toEqual([
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
    expect(messageLines()).toHaveLength(8)
    expect(messageLines()[1]).toContain('INVITESDPretransmission')
    // the selected message stays selected
    expect(messageDetails().getByRole('heading', { name: '180 Ringing' })).toBeTruthy()
    expect(messageDetails().getByText('4 of 8')).toBeTruthy()
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('180 Ringing')
  })

  it('selects a message by click or key, shows its headers and SDP, and copies it', async () => {
    const { user, list: messageList } = await openCallFlow('c-a')
    expect(messageDetails().getByText('1 of 7')).toBeTruthy()
    await user.click(screen.getByRole('option', { name: /^2\.400/ }))
    expect(messageDetails().getByRole('heading', { name: '200 OK' })).toBeTruthy()
    expect(messageDetails().getByText('SIP/2.0 200 OK')).toBeTruthy()
    expect(messageDetails().getByText('a-leg@host')).toBeTruthy()
    expect(messageDetails().getByText('203.0.113.10:50002')).toBeTruthy()
    expect(messageDetails().getByText('PCMU, PCMA, telephone-event')).toBeTruthy()
    expect(messageDetails().getByRole('region', { name: 'SDP' }).textContent).toContain('m=audio 50002 RTP/AVP 0 8 101')
    await user.click(messageDetails().getByRole('button', { name: 'Copy message' }))
    expect(await navigator.clipboard.readText()).toMatch(/^SIP\/2\.0 200 OK\r\nVia/)
    messageList.focus()
    await user.keyboard('{ArrowDown}')
    expect(messageDetails().getByRole('heading', { name: 'ACK' })).toBeTruthy()
    await user.keyboard('{End}')
    expect(messageDetails().getByText('7 of 7')).toBeTruthy()
    expect(messageDetails().getByRole<HTMLButtonElement>('button', { name: 'Next message' }).disabled).toBe(true)
    await user.click(messageDetails().getByRole('button', { name: 'Previous message' }))
    expect(messageDetails().getByRole('heading', { name: 'BYE' })).toBeTruthy()
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('BYE')
  })

  it('shows both legs of a call that has a parent call, or only one', async () => {
    const { user } = await openCallFlow('c-b')
    expect(messageLines()).toHaveLength(14)
    expect(screen.getByText(/3 participants/)).toBeTruthy()
    await user.click(screen.getByRole('combobox', { name: /^Leg/ }))
    await user.click(await screen.findByRole('option', { name: '+16175550192 → +1999, 8 messages', hidden: true }))
    await waitFor(() => expect(messageLines()).toHaveLength(7))
    expect(screen.getByText(/2 participants/)).toBeTruthy()
    expect(messageLines()[0]).toContain('to 192.0.2.61:5062')
  })

  it("reads another capture file from disk, and returns to the call's capture", async () => {
    const { user } = await openCallFlow('c-a')
    const chooseFile = (name: string, content: Uint8Array) =>
      user.upload(
        screen.getByLabelText('Open another capture', { selector: 'input' }),
        new File([content.slice()], name),
      )
    await chooseFile('notes.pcap', Buffer.from('This is not a capture file.'))
    await screen.findByText(/The console cannot read this packet capture/)
    await user.click(screen.getByRole('button', { name: 'Back to the capture of this call' }))
    await waitFor(() => expect(messageLines()).toHaveLength(7))
    const [invite, , , , , , bye] = buildDialog({ callId: 'far@host', startUs: 1_700_000_000_000_000 })
    const rtpPackets = Array.from({ length: 100 }, (_, index): AgentMessage => ({
      source: ['198.51.100.24', 40_218],
      target: ['203.0.113.10', 50_002],
      timeUs: invite!.timeUs + 3_000_000 + index * 20_000,
      payload: Buffer.from([0x80, 8, 0, index + (index > 50 ? 5 : 0), 0, 0, 0, 0, 0, 0, 0, 9, 1]),
    }))
    await chooseFile('carrier.pcap', pcapOf([invite!, ...rtpPackets, bye!]))
    await screen.findByText('carrier.pcap')
    expect(messageLines()).toEqual([
      expect.stringMatching(/^0\.000\+0 msINVITE/),
      '3.000RTP PCMA, 1.98 s from 198.51.100.24:40218 to 203.0.113.10:50002',
      expect.stringMatching(/^9\.400\+9\.40 sBYE/),
    ])
    await user.click(screen.getAllByRole('option')[1]!)
    expect(messageDetails().getByText('5 (4.8%)')).toBeTruthy()
    expect(messageDetails().getByText('0x00000009')).toBeTruthy()
    expect(messageDetails().queryByRole('button', { name: 'Copy message' })).toBeNull()
  })

  it('says what is not shown of a capture with too many participants, ports and RTP streams', async () => {
    const { user } = await openCallFlow('c-a')
    const [invite] = buildDialog({ callId: 'scan@host', startUs: 1_700_000_000_000_000 })
    const invites = Array.from({ length: 100 }, (_, index): AgentMessage => ({
      ...invite!,
      source: ['198.51.100.24', 10_000 + (index % 30)],
      target: [`192.0.2.${index}`, 5060],
      timeUs: invite!.timeUs + index,
    }))
    const rtpPackets = Array.from({ length: 2001 }, (_, index): AgentMessage => ({
      source: ['198.51.100.24', 20_000 + index],
      target: ['203.0.113.10', 50_002],
      timeUs: invite!.timeUs + 1000 + index,
      payload: Buffer.from([0x80, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 1]),
    }))
    const file = new File([Buffer.from(pcapOf([...invites, ...rtpPackets]))], 'scan.pcap')
    await user.upload(screen.getByLabelText('Open another capture', { selector: 'input' }), file)
    expect(
      await screen.findByText(
        'Only the first 50 of 101 participants are shown. Messages with other participants are hidden: 51. ' +
          'Open the packet capture in another program, such as Wireshark, to see them.',
      ),
    ).toBeTruthy()
    expect(
      screen.getByText(
        'Only the first 2,000 possible RTP streams of the packet capture were read. RTP may be missing.',
      ),
    ).toBeTruthy()
    const columns = within(screen.getByRole('list', { name: 'Participants' })).getAllByRole('listitem')
    expect(columns).toHaveLength(50)
    expect(columns[0]?.textContent).toMatch(/10009 and 20 more$/)
    expect(screen.getByText(/^49 messages · 50 participants/)).toBeTruthy()
  })

  it('says that SIP messages may be missing in a capture with too many TCP streams', async () => {
    const { user } = await openCallFlow('c-a')
    const segments = Array.from({ length: 10_001 }, (_, index) =>
      ip4(tcp(bytes('x'), 1, { to: index }), { protocol: 6 }),
    )
    const packets = [ip4(udp(sip('INVITE sip:b SIP/2.0'))), ...segments]
    const content = pcap(packets.map((packet, index) => ({ time: 1_700_000_000_000_000 + index, bytes: packet })))
    await user.upload(
      screen.getByLabelText('Open another capture', { selector: 'input' }),
      new File([content.slice()], 'many.pcap'),
    )
    expect(
      await screen.findByText(
        'Only the first 10,000 TCP streams of the packet capture were read completely. SIP messages may be missing.',
      ),
    ).toBeTruthy()
    expect(messageLines()).toHaveLength(1)
  })

  it('renders only the visible part of a long ladder', async () => {
    // jsdom has no layout
    const clientHeight = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const { user, list: messageList } = await openCallFlow('c-long')
    expect(await screen.findByText(/^441 messages/)).toBeTruthy()
    await waitFor(() => expect(messageLines().length).toBeLessThan(60))
    expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('441')
    // a message selected with the buttons scrolls into view
    for (let index = 0; index < 12; index += 1)
      await user.click(messageDetails().getByRole('button', { name: 'Next message' }))
    expect(messageDetails().getByText('13 of 441')).toBeTruthy()
    expect(messageList.parentElement?.scrollTop).toBe(13 * 30 - (400 - 52))
    clientHeight.mockRestore()
  })

  it('is not offered if nothing was captured', async () => {
    await render('/internal/recent-calls?open=c-none', { as: 'account' })
    await screen.findByText('none@host')
    expect(await screen.findByText('No SIP messages were captured for this call.')).toBeTruthy()
    expect(screen.getByText('This call was not traced.')).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download pcap' })).toBeNull()
  })

  it('explains that the server might not capture SIP', async () => {
    const v1Server = await startV1Server(backend().app)
    await render('/internal/recent-calls?open=c-none', { as: 'account', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    expect(
      await screen.findByText('This server has no SIP messages for this call. It might not capture SIP.'),
    ).toBeTruthy()
    v1Server.close()
  })
})
