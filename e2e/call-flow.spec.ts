import { readFile } from 'node:fs/promises'
import {
  hepPacketOf,
  connectOverTcp,
  sendOverUdp,
  buildDialog,
  type AgentMessage,
} from '../server/test/external/hep-agent'
import { findAxeViolations } from './support/axe'
import { boxOf } from './support/boxes'
import { createApiClient } from '../scripts/launch/api'
import { addUser, openAs } from '../scripts/launch/users'
import { heading } from './support/screen'
import { findFreePort, startServer } from '../scripts/launch/server'
import { expect, test } from './support/test'
import { waitUntilIdle } from './support/navigation'

const hepKey = 'between us'

/** Starts a server with ingest and captures, and adds two calls. */
const startServerWithCalls = async () => {
  const hepPort = await findFreePort()
  const server = await startServer({ ENABLE_INGEST: 'true', HEP_PORT: String(hepPort), HEP_KEY: hepKey })
  const api = createApiClient(server.url, server.apiKey)
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  const accountSid = await api.add('/Accounts', {
    name: 'Acme',
    service_provider_sid: provider!.service_provider_sid,
  })
  const now = Date.now()
  const callRecordLine = (fields: string, agoMs: number) =>
    `cdrs,account_sid=${accountSid},direction=inbound,answered=true ${fields},from="16175550192",to="18575550100",duration=10i ${now - agoMs}000000`
  const response = await fetch(`${server.url}/write?db=cdrs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: [
      callRecordLine('call_sid="c-1",sip_callid="one@host",sip_parent_callid="parent@host"', 0),
      callRecordLine('call_sid="c-0",sip_callid="parent@host"', 5000),
    ].join('\n'),
  })
  expect(response.status).toBe(204)
  return { server, api, hepPort, startUs: (now - 10_000) * 1000, accountSid }
}

const hepPackets = (messages: AgentMessage[]) => messages.map((message) => hepPacketOf({ ...message, key: hepKey }))

test('search finds the call flow of a failed registration by phone number and Call-ID', async ({ page }) => {
  const { server, hepPort, startUs } = await startServerWithCalls()
  try {
    const callId = 'a84b4c76e66710@branch.example.com'
    const phoneAddress: AgentMessage['source'] = ['198.51.100.24', 5060]
    const proxyAddress: AgentMessage['source'] = ['203.0.113.10', 5060]
    const addressHeader = '<sip:+442079460123@branch.example.com>'
    const headers = `Call-ID: ${callId}\r\nFrom: ${addressHeader};tag=1\r\nTo: ${addressHeader}\r\nCSeq: 1 REGISTER\r\nContent-Length: 0`
    const buildMessage = (startLine: string) => `${startLine}\r\n${headers}\r\n\r\n`
    await sendOverUdp(
      hepPort,
      hepPackets([
        {
          source: phoneAddress,
          target: proxyAddress,
          timeUs: startUs,
          payload: buildMessage('REGISTER sip:branch.example.com SIP/2.0'),
        },
        {
          source: proxyAddress,
          target: phoneAddress,
          timeUs: startUs + 9000,
          payload: buildMessage('SIP/2.0 403 Forbidden'),
        },
      ]),
    )
    const api = createApiClient(server.url, server.apiKey)
    await expect.poll(async () => (await api.get<{ data: unknown[] }>('/Captures')).data.length).toBe(1)
    await openAs(page, server, await addUser(server, 'lin'), '/internal/recent-calls/captures')
    await expect(page.getByText('403 Forbidden')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Number, address or Call-ID' }).fill('+44 20 7946 0123')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible()
    await expect(page.getByText('403 Forbidden')).toBeVisible()
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(callId)
    await page.getByRole('option', { name: /^Open call flow of/ }).click()
    await expect(heading(page, 'Call flow')).toBeVisible()
    await expect(page.getByRole('listbox', { name: 'Messages' }).getByRole('option')).toHaveCount(2)
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    const download = page.getByRole('button', { name: 'Download pcap' })
    await expect
      .poll(() => download.evaluate((button) => button.getBoundingClientRect().right))
      .toBeLessThanOrEqual(374)
  } finally {
    await server.dispose()
  }
})

test("a call flow shows a call's captured messages, and they can be downloaded", async ({ page }) => {
  const { server, api, hepPort, startUs, accountSid } = await startServerWithCalls()
  try {
    const callerAddress: AgentMessage['source'] = ['2001:0db8:0000:0000:0000:0000:0000:0001', 5062]
    const calleeAddress: AgentMessage['source'] = ['2001:0db8:0000:0000:0000:0000:0000:0002', 5060]
    await sendOverUdp(hepPort, hepPackets(buildDialog({ callId: 'one@host', startUs })))
    await sendOverUdp(hepPort, [hepPacketOf(buildDialog({ callId: 'one@host', startUs })[0]!)])
    const socket = await connectOverTcp(hepPort)
    socket.end(
      Buffer.concat(
        hepPackets(buildDialog({ callId: 'parent@host', startUs, caller: callerAddress, callee: calleeAddress })),
      ),
    )
    for (const callId of ['one@host', 'parent@host'])
      await expect
        .poll(async () => (await api.get<{ total: number }>(`/Accounts/${accountSid}/RecentCalls/${callId}`)).total)
        .toBe(8)

    await openAs(page, server, await addUser(server, 'ada'), '/internal/recent-calls?open=c-1')
    await expect(heading(page, 'Recent calls')).toBeVisible()
    await page.getByRole('tab', { name: 'Call flow' }).click()
    const list = page.getByRole('listbox', { name: 'Messages' })
    await expect(list.getByRole('option')).toHaveCount(14)
    await expect(page.getByRole('list', { name: 'Participants' }).getByText('2001:db8::1')).toBeVisible()
    await page.getByRole('combobox', { name: /^Leg/ }).click()
    await page.getByRole('option', { name: '+16175550192 → +18575550100, 8 messages' }).first().click()
    await expect(list.getByRole('option')).toHaveCount(7)
    await list.getByRole('option', { name: /^2\.400/ }).click()
    const message = page.getByRole('region', { name: 'Selected message' })
    await expect(message.getByRole('heading', { name: '200 OK' })).toBeVisible()
    await expect(message.getByText('203.0.113.10:50002', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(message.getByRole('heading', { name: 'ACK' })).toBeVisible()
    // with few messages and with many, the ladder fills the height below its toolbar, and only its parts scroll
    for (const height of [720, 1000]) {
      await page.setViewportSize({ width: 1440, height })
      const { bottom } = await boxOf(message)
      expect(bottom).toBeLessThanOrEqual(height)
      expect(bottom).toBeGreaterThan(height - 16)
      expect(await page.getByRole('tabpanel').evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBe(0)
    }
    await waitUntilIdle(page)
    expect(await findAxeViolations(page)).toEqual([])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download pcap' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('callid-one@host.pcap')
    const file = await readFile(await download.path())
    expect(file.subarray(0, 4).toString('hex')).toBe('d4c3b2a1')
    // One INVITE per leg: the repeated packet had no key and was refused.
    expect(file.toString('latin1').match(/INVITE sip:/g)).toHaveLength(2)
  } finally {
    await server.dispose()
  }
})
