import { screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@trunkline/contract/shapes/account'
import type { UserEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { secretEncryption } from '../../server/src/secrets/encryption'
import { s3Key, startS3 } from '../../server/test/external/s3-double'
import { useBackend, type Person } from './render'

const { render, ask, world, backend } = useBackend({ bucketPrivateTargets: true })

let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())

const path = () => `/Accounts/${world().accounts.acme}`
const read = () => ask<Account>('admin', 'GET', path())
beforeEach(() => ask('admin', 'PUT', path(), { bucket_credential: { vendor: 'none' }, record_all_calls: 0 }))

const open = (as: Person = 'north') => render(`/internal/accounts/${world().accounts.acme}/edit`, { as })
/** Finds a field by its label, which is faster than by role in a long form. */
const text = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`))
const fill = async (user: UserEvent, name: string, value: string) => {
  await user.clear(await text(name))
  await user.click(await text(name))
  await user.paste(value)
}
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const choose = async (user: UserEvent, name: string, value: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const list = within(screen.getByRole('listbox', { name, hidden: true }))
  await user.click(await list.findByRole('option', { name: value, hidden: true }))
}
const options = async (user: UserEvent, name: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const list = within(screen.getByRole('listbox', { name, hidden: true }))
  const offered = list.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent)
  await user.keyboard('{Escape}')
  return offered
}
const save = async (user: UserEvent) => {
  await user.click(await button('Save'))
  expect(await screen.findByText('Account updated successfully')).toBeTruthy()
}

const compatible = () => ({ vendor: 's3_compatible', name: 'recordings', endpoint: s3.endpoint, ...s3Key })
const long = 'a secret of some length'

describe('call recording', () => {
  it('tests and saves a bucket', async () => {
    const { user } = await open('acme')
    await choose(user, 'Storage vendor', 'S3 compatible')
    await fill(user, 'Endpoint', s3.endpoint)
    await fill(user, 'Bucket name', 'elsewhere')
    await fill(user, 'Access key ID', s3Key.access_key_id)
    expect((await button('Test')).disabled).toBe(true)
    await fill(user, 'Secret access key', long)
    expect((await button('Test')).disabled).toBe(false)

    await user.click(await button('Test'))
    const reason = 'The test file could not be written to the bucket. This bucket does not exist.'
    expect(await screen.findByText(reason)).toBeTruthy()

    await fill(user, 'Bucket name', 'recordings')
    expect(screen.queryByText(reason)).toBeNull()
    await user.click(await button('Test'))
    expect(await screen.findByText('Bucket Credential is valid.')).toBeTruthy()

    await save(user)
    const secret_access_key = 'a secrXXXXXXXXXXXXXXXXX'
    expect(await read()).toMatchObject({ bucket_credential: { ...compatible(), secret_access_key } })
    // two tests, each with the vendor's SDK
  }, 60_000)

  it('saves format and tags', async () => {
    await ask('admin', 'PUT', path(), { bucket_credential: compatible() })
    const { user } = await open()
    await choose(user, 'Recording format', 'wav')
    await user.click(await text('Record all calls'))
    await user.click(await button('Add tag'))
    expect((await button('Test')).disabled).toBe(true)
    await fill(user, 'Tag name', 'customer')
    await fill(user, 'Tag value', 'acme')
    expect((await button('Test')).disabled).toBe(false)
    await save(user)
    expect(await read()).toMatchObject({
      record_all_calls: 1,
      record_format: 'wav',
      bucket_credential: { tags: [{ Key: 'customer', Value: 'acme' }] },
    })
  })

  it('keeps an unchanged secret, and never shows it', async () => {
    const bucket_credential = { ...compatible(), secret_access_key: long, tags: [{ Key: 'a', Value: 'b' }] }
    await ask('admin', 'PUT', path(), { bucket_credential })
    const { user } = await open()
    expect((await text('Secret access key')).value).toBe('')
    expect((await text('Secret access key')).placeholder).toBe('a secr••••••••')
    await fill(user, 'Bucket name', 'recordings-2')
    await user.click(await button('Test'))
    // the server tests the saved credential, not the one in the form
    expect(await screen.findByText('The saved credential was tested, not your changes.', { exact: false })).toBeTruthy()
    await user.click(await button('Delete tag 1'))
    await save(user)
    const { tags: _, ...rest } = bucket_credential
    expect((await read()).bucket_credential).toEqual({
      ...rest,
      name: 'recordings-2',
      secret_access_key: 'a secrXXXXXXXXXXXXXXXXX',
    })
  })

  it('masks a short secret completely', async () => {
    await ask('admin', 'PUT', path(), { bucket_credential: compatible() })
    await open()
    expect((await text('Secret access key')).placeholder).toBe('••••••••')
  })

  it('is turned off together with its bucket', async () => {
    await ask('admin', 'PUT', path(), { bucket_credential: compatible(), record_all_calls: 1 })
    const { user } = await open()
    await choose(user, 'Storage vendor', 'None')
    expect(screen.queryByRole('checkbox', { name: 'Record all calls' })).toBeNull()
    await save(user)
    expect(await read()).toMatchObject({ record_all_calls: 0, bucket_credential: null })
  })

  it('is left alone if the server cannot decrypt its bucket', async () => {
    const { accounts } = backend().services
    const sealed = secretEncryption('another secret').encrypt(JSON.stringify(compatible()))
    await accounts.update(world().accounts.acme, { bucket_credential: sealed, record_all_calls: 1 })
    const { user } = await open()
    expect(await screen.findByText(/^The stored bucket credential cannot be decrypted/)).toBeTruthy()
    expect(screen.queryByRole('combobox', { name: 'Storage vendor' })).toBeNull()
    await user.type(await text('Account name'), ' more')
    await save(user)
    const [row] = await backend()
      .database.db.selectFrom('accounts')
      .select(['bucket_credential', 'record_all_calls'])
      .where('account_sid', '=', world().accounts.acme)
      .execute()
    expect(row).toEqual({ bucket_credential: sealed, record_all_calls: 1 })
    await accounts.update(world().accounts.acme, { bucket_credential: null, record_all_calls: 0, name: 'acme' })
  })

  it('requires all fields of the vendor, and both parts of a tag', async () => {
    const { user } = await open()
    await choose(user, 'Storage vendor', 'S3 compatible')
    await user.click(await button('Add tag'))
    expect(screen.queryByText('Tag name is required.')).toBeNull()
    await user.click(await button('Save'))
    for (const name of ['Endpoint', 'Bucket name', 'Access key ID', 'Secret access key', 'Tag name', 'Tag value'])
      expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
    await fill(user, 'Endpoint', 's3.example.com')
    expect(await screen.findByText('The endpoint must be a URL that starts with http:// or https://.')).toBeTruthy()
    await fill(user, 'Tag name', 'a')
    await fill(user, 'Tag value', 'b')
    await user.click(await button('Add tag'))
    await user.type(screen.getAllByLabelText(/^Tag name/)[1]!, 'a')
    await user.click(await button('Save'))
    expect(await screen.findByText('Tag names must be unique.')).toBeTruthy()
    expect((await read()).bucket_credential).toBeNull()
  })

  it('cannot be tested with an invalid Google key file', async () => {
    const { user } = await open()
    await choose(user, 'Storage vendor', 'Google Cloud Storage')
    await fill(user, 'Bucket name', 'recordings')
    const keyFile = async (content: string) =>
      user.upload(await screen.findByLabelText(/^Service key file/), new File([content], 'key.json'))
    await keyFile('no JSON')
    expect(await screen.findByText('Invalid service key file, could not parse as JSON.')).toBeTruthy()
    expect((await button('Test')).disabled).toBe(true)
    await keyFile('{"client_email":"recorder@example.com"}')
    expect(await screen.findByText('The service key file must contain a private_key and a client_email.')).toBeTruthy()
    expect((await button('Test')).disabled).toBe(true)
    await keyFile('{"client_email":"recorder@example.com","private_key":"key"}')
    await waitFor(async () => expect((await button('Test')).disabled).toBe(false))
  })

  it.each([
    ['AWS S3', ['Bucket name', 'Access key ID', 'Secret access key']],
    ['Azure Blob Storage', ['Container name', 'Connection string']],
  ])('requires all fields of %s', async (vendor, names) => {
    const { user } = await open()
    await choose(user, 'Storage vendor', vendor)
    await user.click(await button('Save'))
    for (const name of names) expect(await screen.findByText(`${name} is required.`)).toBeTruthy()
    expect((await read()).bucket_credential).toBeNull()
  })

  it('is hidden if call recording is disabled', async () => {
    const address = `/internal/accounts/${world().accounts.acme}/edit`
    await render(address, { as: 'north', features: { callRecording: false } })
    await screen.findByRole('heading', { name: 'API keys' })
    expect(screen.queryByRole('combobox', { name: 'Storage vendor' })).toBeNull()
  })
})

describe('an Amazon S3 bucket', () => {
  it('can be accessed by role, and has a default region', async () => {
    const { user } = await open()
    await choose(user, 'Storage vendor', 'AWS S3')
    const region = await screen.findByRole('combobox', { name: 'Region' })
    expect(region.textContent).toBe('US East (N. Virginia) us-east-1')
    expect(await options(user, 'Credential type')).toEqual(['Access key', 'Assume role'])
    await choose(user, 'Credential type', 'Assume role')
    expect(screen.queryByRole('textbox', { name: 'Access key ID' })).toBeNull()
    await fill(user, 'Bucket name', 'recordings')
    await fill(user, 'Role ARN', 'arn:aws:iam::1:role/r')
    await save(user)
    expect((await read()).bucket_credential).toEqual({
      vendor: 'aws_s3',
      name: 'recordings',
      region: 'us-east-1',
      credential_type: 'assume_role',
      role_arn: 'arn:aws:iam::1:role/r',
    })
  })

  it("can use the server's instance profile if an administrator chooses it", async () => {
    const { user } = await open('admin')
    await choose(user, 'Storage vendor', 'AWS S3')
    await choose(user, 'Credential type', 'Instance profile')
    await fill(user, 'Bucket name', 'recordings')
    expect((await button('Test')).disabled).toBe(false)
    await save(user)
    expect((await read()).bucket_credential).toMatchObject({ credential_type: 'instance_profile' })
  })
})

describe('a Google bucket', () => {
  const key = (private_key: string) =>
    JSON.stringify({ client_email: 'recorder@example.com', project_id: 'p', private_key })
  const file = (content: string) => new File([content], 'key.json', { type: 'application/json' })
  const chooser = () => screen.findByLabelText<HTMLInputElement>(/^Service key file/)

  it('reads its key from a file, and masks the private key', async () => {
    const { user } = await open()
    await choose(user, 'Storage vendor', 'Google Cloud Storage')
    await user.upload(await chooser(), file('nonsense'))
    expect(await screen.findByText('Invalid service key file, could not parse as JSON.')).toBeTruthy()
    await user.upload(await chooser(), file('{"client_email":"a"}'))
    expect(await screen.findByText('The service key file must contain a private_key and a client_email.')).toBeTruthy()
    await user.upload(await chooser(), file(key('-----BEGIN PRIVATE KEY-----\nMIIEvQSECRET\n')))
    expect(await screen.findByText('recorder@example.com')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(/The service key file must/)).toBeNull())
    expect(screen.getByText('-----BEGIN PRIVATE KEY----- MIIEvQ••••••••')).toBeTruthy()
    expect(document.body.innerHTML).not.toContain('SECRET')
    await fill(user, 'Bucket name', 'recordings')
    await save(user)
    // the saved key is shown in the same way, and need not be chosen again
    expect(await screen.findByText(/^-----BEGIN PRIVATE KEY----- MIIEvQ/)).toBeTruthy()
    await fill(user, 'Bucket name', 'recordings-2')
    await save(user)
    expect((await read()).bucket_credential).toMatchObject({ vendor: 'google', name: 'recordings-2' })
  })
})
