import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  accountAttribute,
  buildTraceJson,
  buildSpanJson,
  newTraceId,
  createSpanSender,
  ingestSettings,
} from '../../server/test/spans'
import { CallTrace } from '../src/features/recent-calls/trace/trace'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { createQueryClient } from '../src/lib/query'
import { useBackend } from './render'

const { backend, testData, render: renderPage } = useBackend(ingestSettings)

const traceStartMs = 1_700_000_000_000
const unixNano = (offsetMs: number) => `${traceStartMs + offsetMs}000000`
const spanId = (letter: string) => letter.repeat(16)

/** Sends the trace of a call in which the application speaks and the caller says nothing. */
const sendCall = async () => {
  const traceId = newTraceId()
  const span = (
    letter: string,
    parent: string,
    name: string,
    startMs: number,
    endMs: number,
    attributes: object[] = [],
  ) =>
    buildSpanJson(traceId, {
      spanId: spanId(letter),
      parentSpanId: parent && spanId(parent),
      name,
      startTimeUnixNano: unixNano(startMs),
      endTimeUnixNano: unixNano(endMs),
      attributes,
    })
  const textAttribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  await createSpanSender(backend())(
    'acme',
    buildTraceJson(
      span('a', '', 'incoming-call', 0, 65_400, [...accountAttribute(testData().accounts.acme).attributes]),
      span('b', 'a', 'verb:say{text=a very long text that is cut somewhere}', 100, 4660, [
        textAttribute('verb.summary', 'a very long text'),
        textAttribute('telemetry.sdk.name', 'opentelemetry'),
      ]),
      span('c', 'b', 'tts-generation', 100, 540, [{ key: 'tts.cached', value: { boolValue: true } }]),
      span('d', 'a', 'verb:gather', 4660, 6000),
      span('e', 'd', 'stt-listen:1', 4700, 6000, [textAttribute('stt.resolve', 'timeout')]),
      span('f', 'd', 'verb:hook', 5900, 5950, [
        textAttribute('http.body', '{"reason":"timeout"}'),
        textAttribute('http.body', 'second body'),
      ]),
    ),
  )
  return traceId
}

const renderTrace = (traceId: string, accountSid = testData().accounts.acme) => {
  localStorage.setItem('token', testData().keys.acme)
  const user = userEvent.setup({ pointerEventsCheck: 0 })
  render(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <CallTrace accountSid={accountSid} providerSid={testData().providers.north} traceId={traceId} />
    </QueryClientProvider>,
  )
  return user
}
const readRowTexts = () => screen.getAllByRole('treeitem').map((row) => row.textContent)
const spanDetails = () => within(screen.getByRole('region', { name: 'Selected span' }))

describe('the waterfall of a call', () => {
  let traceId: string
  beforeAll(async () => {
    const serverAddress = backend().app.server.address() as { port: number }
    setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${serverAddress.port}/v1` })
    traceId = await sendCall()
  })

  it('has a row for each span, with name, kind and duration', async () => {
    renderTrace(traceId)
    await screen.findByRole('tree', { name: 'Spans' })
    expect(readRowTexts()).toEqual([
      'Call incoming-call1m 5s Critical path',
      'Verb say text=a very long text that is cu…4.56 s Critical path',
      'Text to speech tts-generation440 mscached Critical path',
      'Verb gather1.34 s Critical path',
      'Speech to text stt-listen:1timeout1.30 s Critical path',
      'Webhook hook50 ms',
    ])
    expect(screen.getByText('6 spans · 1m 5s')).toBeTruthy()
    const legend = within(screen.getByRole('list', { name: 'Legend' }))
    expect(legend.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Call',
      'Verb',
      'Speech to text',
      'Text to speech',
      'Webhook',
      'Critical path',
    ])
  })

  it('shows the attributes of a clicked span, without the internal ones of tracing', async () => {
    const user = renderTrace(traceId)
    await user.click(await screen.findByText('say'))
    expect(
      spanDetails().getByRole('heading', { name: 'verb:say{text=a very long text that is cut somewhere}' }),
    ).toBeTruthy()
    expect(spanDetails().getByText('4.12 s on the critical path')).toBeTruthy()
    expect(spanDetails().getByText('verb.summary')).toBeTruthy()
    expect(spanDetails().queryByText(/telemetry/)).toBeNull()
    await user.click(screen.getByText('hook'))
    expect(spanDetails().getByRole('region', { name: 'http.body' }).textContent).toBe('{\n  "reason": "timeout"\n}')
    // the same key a second time, with a value that is not JSON
    expect(spanDetails().getByText('second body')).toBeTruthy()
  })

  it('closes the details of a span, and opens those of another one', async () => {
    const user = renderTrace(traceId)
    await user.click(await screen.findByText('say'))
    const tree = screen.getByRole('tree', { name: 'Spans' })
    const hasDetails = () => screen.queryByRole('region', { name: 'Selected span' }) !== null
    await user.click(spanDetails().getByRole('button', { name: 'Close the details of the span' }))
    expect(hasDetails()).toBe(false)
    expect(document.activeElement).toBe(tree)
    expect(screen.getByRole('treeitem', { selected: true }).textContent).toContain('say')
    // the keyboard goes through the spans without the details
    await user.keyboard('{ArrowDown}')
    expect(hasDetails()).toBe(false)
    await user.keyboard('{Enter}')
    expect(spanDetails().getByRole('heading', { name: 'tts-generation' })).toBeTruthy()
    await user.keyboard('{ArrowDown}')
    expect(spanDetails().getByRole('heading', { name: 'verb:gather' })).toBeTruthy()
    await user.click(screen.getByText('hook'))
    spanDetails().getByRole('region', { name: 'http.body' }).focus()
    await user.keyboard('{Escape}')
    expect(hasDetails()).toBe(false)
    expect(document.activeElement).toBe(tree)
    await user.click(screen.getByText('hook'))
    expect(hasDetails()).toBe(true)
    // Escape in the search clears it
    await user.type(screen.getByRole('searchbox', { name: 'Search spans' }), 's{Escape}')
    expect(hasDetails()).toBe(true)
  })

  it('is navigated, collapsed and expanded with the keyboard', async () => {
    const user = renderTrace(traceId)
    const tree = await screen.findByRole('tree', { name: 'Spans' })
    const selectedRow = () => screen.getByRole('treeitem', { selected: true })
    await user.tab()
    await waitFor(() => expect(document.activeElement).not.toBe(document.body))
    tree.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(selectedRow().textContent).toContain('tts-generation')
    expect(tree.getAttribute('aria-activedescendant')).toBe(selectedRow().id)
    await user.keyboard('{ArrowLeft}')
    expect(selectedRow().textContent).toContain('say')
    await user.keyboard('{ArrowLeft}')
    expect(selectedRow().getAttribute('aria-expanded')).toBe('false')
    expect(readRowTexts()).toHaveLength(5)
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(selectedRow().textContent).toContain('tts-generation')
    await user.keyboard('{End}')
    expect(selectedRow().textContent).toContain('hook')
    await user.keyboard('{Home}')
    expect(selectedRow().textContent).toContain('incoming-call')
  })

  it('selects a collapsed span if the selected one is hidden by it', async () => {
    const user = renderTrace(traceId)
    await user.click(await screen.findByText('tts-generation'))
    const parent = screen.getByText('say').closest('[role=treeitem]')!
    await user.click(parent.querySelector('[data-fold]')!)
    expect(readRowTexts()).toHaveLength(5)
    expect(screen.getByRole('treeitem', { selected: true })).toBe(parent)
    expect(spanDetails().getByRole('heading', { name: /^verb:say/ })).toBeTruthy()
  })

  it('is navigated during a search, which collapses nothing', async () => {
    const user = renderTrace(traceId)
    const searchBox = await screen.findByRole('searchbox', { name: 'Search spans' })
    await user.type(searchBox, 'stt-listen')
    await screen.findByText('1 of 6 spans')
    const tree = screen.getByRole('tree', { name: 'Spans' })
    const selectedRowText = () => screen.getByRole('treeitem', { selected: true }).textContent
    tree.focus()
    await user.keyboard('{End}{ArrowLeft}')
    expect(selectedRowText()).toContain('Verb gather')
    await user.keyboard('{ArrowLeft}')
    expect(selectedRowText()).toContain('incoming-call')
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    expect(selectedRowText()).toContain('stt-listen:1')
    await user.clear(searchBox)
    await waitFor(() => expect(readRowTexts()).toHaveLength(6))
  })

  it('is searched: matches are shown with their ancestors', async () => {
    const user = renderTrace(traceId)
    await user.type(await screen.findByRole('searchbox', { name: 'Search spans' }), 'TIMEOUT')
    await screen.findByText('2 of 6 spans')
    expect(readRowTexts().map((name) => name?.split(/\d/)[0])).toEqual([
      'Call incoming-call',
      'Verb gather',
      'Speech to text stt-listen:',
      'Webhook hook',
    ])
    await user.type(screen.getByRole('searchbox'), 'x')
    expect(await screen.findByText('No spans contain this text.')).toBeTruthy()
  })

  it('shows a message if there is no trace', async () => {
    const lateTraceId = newTraceId()
    const user = renderTrace(lateTraceId)
    expect(await screen.findByText(/No trace of this call is stored/)).toBeTruthy()
    // spans may arrive later
    await createSpanSender(backend())(
      'acme',
      buildTraceJson(buildSpanJson(lateTraceId, { attributes: accountAttribute(testData().accounts.acme).attributes })),
    )
    await user.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByRole('tree', { name: 'Spans' })).toBeTruthy()
  })

  it('is a tab only for calls that have a trace', async () => {
    const { acme, providers } = testData()
    const call = (call_sid: string, msAgo: number, fields: object) => ({
      tags: {
        account_sid: acme.account,
        service_provider_sid: providers.north,
        direction: 'inbound',
        answered: 'true',
      },
      fields: { call_sid, from: call_sid, to: '2', ...fields },
      timeNs: BigInt(Date.now() - msAgo) * 1_000_000n,
    })
    await backend().services.callHistory.writePoints('cdrs', [
      call('traced', 1000, { trace_id: traceId }),
      call('untraced', 2000, { trace_id: '0'.repeat(32) }),
    ])
    const { user } = await renderPage(`/internal/recent-calls?account=${acme.account}&date=7`, { as: 'north' })
    const findRowLinks = () => screen.findAllByRole('link', { name: /^\d{4}-/ })
    await user.click((await findRowLinks())[1]!)
    await screen.findByText('Call SID')
    expect(screen.queryByRole('tab')).toBeNull()
    await user.click((await findRowLinks())[0]!)
    await user.click(await screen.findByRole('tab', { name: 'Tracing' }))
    expect(await screen.findByRole('tree', { name: 'Spans' })).toBeTruthy()
  })
})
