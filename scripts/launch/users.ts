import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { hashPassword } from '../../server/src/secrets/password'
import { insertRow } from './database'
import type { TestServer } from './server'

export interface TestUser {
  user_sid: string
  name: string
  password: string
}

/** The owner of a user; an administrator has none. */
export interface UserOptions {
  service_provider_sid?: string
  account_sid?: string
  isViewOnly?: boolean
  mustChangePassword?: boolean
}

/** The SID of the platform's row for the view-only permission. */
const viewOnlySid = 'ffbc342a-546a-11ed-bdc3-0242ac120002'

/** Adds a user who can sign in. Inserts the row directly, because the server's own password hash is slow by design. */
export const addUser = async (server: TestServer, name: string, options: UserOptions = {}): Promise<TestUser> => {
  const user_sid = randomUUID()
  const password = `Quiet-harbour-${name.length}`
  await insertRow(server.database, 'users', {
    user_sid,
    name,
    email: `${name}@example.com`,
    provider: 'local',
    // weak on purpose: tests sign in often
    hashed_password: await hashPassword(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 }),
    service_provider_sid: options.service_provider_sid ?? null,
    account_sid: options.account_sid ?? null,
    force_change: options.mustChangePassword ? 1 : 0,
  })
  if (options.isViewOnly)
    await insertRow(server.database, 'user_permissions', {
      user_permissions_sid: randomUUID(),
      user_sid,
      permission_sid: viewOnlySid,
    })
  return { user_sid, name, password }
}

/** Signs in and returns the token. */
export const signInForToken = async (
  url: string,
  { name, password }: Pick<TestUser, 'name' | 'password'>,
): Promise<string> => {
  const response = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name, password }),
  })
  if (!response.ok) throw new Error(`${name} cannot sign in: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}

/** Signs in on the sign-in page. */
export const signIn = async (page: Page, name: string, password: string) => {
  await page.getByRole('textbox', { name: 'Username' }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Opens a page as a signed-in user, with the token where the sign-in page stores it. */
export const openAs = async (page: Page, server: TestServer, user: TestUser, path = '/internal/accounts') => {
  const token = await signInForToken(server.url, user)
  await page.goto(`${server.url}/favicon.svg`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
  await page.goto(server.url + path)
}
