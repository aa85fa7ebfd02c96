import { cleanup, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { TestData } from '../../server/test/test-data'
import { useBackend } from './render'

const { render, testData } = useBackend()

/** A record of each kind that has a page: the title of its page, and its path. */
const pages: [title: string, getPath: (data: TestData) => string][] = [
  ['acme · Accounts', ({ accounts }) => `accounts/${accounts.acme}`],
  ['acme · Users', ({ users }) => `users/${users.acme}`],
  ['acme app · Applications', ({ acme }) => `applications/${acme.application}`],
  ['acme trunk · Carriers', ({ acme }) => `carriers/${acme.voip_carrier}`],
]

/** A record of each kind that has only a form, or a name in several notations. */
const forms: [title: RegExp, getPath: (data: TestData) => string][] = [
  [/^Edit · [^·]+ · Phone numbers · Trunkline$/, ({ acme }) => `phone-numbers/${acme.phone_number}`],
  [/^Edit · [^·]+ · SIP clients · Trunkline$/, ({ acme }) => `clients/${acme.client}`],
  [/^Edit · [^·]+ · Speech services · Trunkline$/, ({ acme }) => `speech-services/${acme.speech_credential}`],
  [/^Edit · [^·]+ · Microsoft Teams tenants · Trunkline$/, ({ acme }) => `ms-teams-tenants/${acme.ms_teams_tenant}`],
]

describe('the title of the window names the record', () => {
  it.each(pages)('%s', async (title, getPath) => {
    const path = `/internal/${getPath(testData())}`
    await render(path, { as: 'north' })
    await waitFor(() => expect(document.title).toBe(`${title} · Trunkline`))
    cleanup()
    await render(`${path}/edit`, { as: 'north' })
    await waitFor(() => expect(document.title).toBe(`Edit · ${title} · Trunkline`))
  })

  it.each(forms)('%s', async (title, getPath) => {
    await render(`/internal/${getPath(testData())}/edit`, { as: 'north' })
    await waitFor(() => expect(document.title).toMatch(title))
  })

  it('in outbound call routing', async () => {
    await render(`/internal/least-cost-routing/${testData().acme.lcr}/edit`, { as: 'admin' })
    await waitFor(() => expect(document.title).toMatch(/^Edit · [^·]+ · Outbound call routing · Trunkline$/))
  })
})
