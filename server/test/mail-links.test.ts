import { tmpdir } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { readConfig } from '../src/config/config'
import { createTrials } from '../src/resources/plans/public'
import { newPassword, publicUrl, startHostedBackend, type HostedBackend } from './hosted-backend'

const dayMs = 86_400_000

interface LinkedMail {
  text?: string
  html?: string
}

const listTextLinks = ({ text = '' }: LinkedMail): string[] => text.match(/https?:\/\/\S+/g) ?? []
const listHtmlLinks = ({ html = '' }: LinkedMail): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url)

describe('the links in emails of the hosted edition', () => {
  let backend: HostedBackend
  afterEach(() => backend.close())

  const start = async (url: string, forgotPassword: boolean) => {
    const features = { ...defaultFeatureFlags, hosted: true, forgotPassword }
    backend = await startHostedBackend({ config: { publicUrl: url, features } })
  }

  /** Causes an email of each kind. */
  const sendAll = async (url: string) => {
    const { client, registration } = await backend.registerUser('jo@example.com')
    await backend.register('jo@example.com')
    await backend.anonymousClient('POST', '/forgot-password', { email: 'jo@example.com' })
    await createTrials(backend.services, {
      publicUrl: url,
      canUpgrade: false,
      now: () => new Date(Date.now() + 19 * dayMs),
    }).sendReminders()
    await client('PUT', `/Users/${registration.user_sid}`, { email: 'jo@two.example.com' })
    const replacement = { old_password: newPassword }
    const { body } = await backend.register('new@example.com', replacement, client)
    const code = await backend.readCode('new@example.com')
    await client(
      'PUT',
      `/ActivationCode/${code}`,
      { user_sid: body.user_sid, type: 'email' },
      {
        authorization: `Bearer ${body.jwt}`,
      },
    )
    await backend.services.outbox.drain()
  }

  /** The paths of the links by the subject of the email. Long identifiers are replaced. */
  const readLinks = (url: string) => {
    const links: Record<string, string[]> = {}
    for (const { mail } of backend.mailbox.receivedMails) {
      expect({ subject: mail.subject, links: listHtmlLinks(mail) }).toEqual({
        subject: mail.subject,
        links: listTextLinks(mail),
      })
      links[mail.subject ?? ''] = listTextLinks(mail).map((link) => {
        expect(link.startsWith(`${url}/`), link).toBe(true)
        return link.slice(url.length).replace(/[\w-]{20,}$/, ':id')
      })
    }
    return links
  }

  const otherLinks = {
    'Account activation code': [],
    'You already have an account': ['/'],
    'Your trial ends soon': ['/'],
    'Confirm your email address': ['/confirm-email/:id'],
    'The way to log in was changed': [],
  }

  it('lead to pages that exist', async () => {
    await start(publicUrl, true)
    await sendAll(publicUrl)
    expect(readLinks(publicUrl)).toEqual({
      ...otherLinks,
      'Reset password request': ['/reset-password/:id'],
      'Your email address was changed': ['/forgot-password'],
    })
  })

  it('do not lead to a password reset if ENABLE_FORGOT_PASSWORD is off, and no text mentions it', async () => {
    await start(publicUrl, false)
    await sendAll(publicUrl)
    expect(readLinks(publicUrl)).toEqual({ ...otherLinks, 'Your email address was changed': [] })
    for (const { mail } of backend.mailbox.receivedMails)
      for (const text of [mail.text, mail.html]) expect(text).not.toMatch(/reset|forgot|new password/i)
  })

  it('lead to this machine without PUBLIC_URL', async () => {
    const url = readConfig({ DATA_DIR: tmpdir(), JWT_SECRET: 'a secret of many characters' }).publicUrl
    expect(url).toBe('http://127.0.0.1:3000')
    await start(url, true)
    await sendAll(url)
    expect(readLinks(url)['Confirm your email address']).toEqual(['/confirm-email/:id'])
  })
})
