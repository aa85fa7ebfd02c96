import { describe, expect, it } from 'vitest'
import { isRecordingUrl, parseRecordingName, resolveRecordingUrl } from './recording'

const base = 'https://api.example.com/v1'
const account = '11111111-1111-4111-8111-111111111111'
const provider = '22222222-2222-4222-8222-222222222222'
const foreignSid = '33333333-3333-4333-8333-333333333333'
const call = { account_sid: account, service_provider_sid: provider, call_sid: 'c' }
const recordingSubpath = '/RecentCalls/c/record/2026/11/22/wav'
const path = `/Accounts/${account}${recordingSubpath}`
const stored = { account_sid: account, name: { call_sid: 'c', yyyy: '2026', mm: '11', dd: '22', format: 'wav' } }

const paths = [
  path,
  path.slice(1),
  `/Accounts/${account.toUpperCase()}${recordingSubpath}`,
  `/ServiceProviders/${provider}${recordingSubpath}`,
]

const invalidPaths = [
  `/Accounts/${foreignSid}`,
  `/Accounts/${foreignSid}#`,
  `/Accounts/${foreignSid}${recordingSubpath}`,
  `/ServiceProviders/${foreignSid}${recordingSubpath}`,
  `/Users/${foreignSid}`,
  path.replace('/c/', '/d/'),
  `${path}#`,
  `${path}?part=1`,
  `${path}/../../../../../../../..`,
  `${path}\n`,
  path.replace('/c/', '/../'),
  path.replace('/c/', '/%2e%2e/'),
  path.replace('/c/', '/c%2Fd/'),
  path.replace('/22/', '/32/'),
  path.replace('wav', 'html'),
  `/v1${path}`,
  `/x/..${path}`,
]

const externalUrls = [
  'http://api.example.com/v1/x',
  'https://api.example.com/v1x/y',
  'https://api.example.com.evil.example/v1/x',
  'HTTPS://bucket.example.com/c.wav',
]

describe('resolveRecordingUrl', () => {
  it.each([...paths, base + path, `${base}${path}?part=1`])('returns the stored recording for %s', (url) => {
    expect(resolveRecordingUrl(url, base, call)).toEqual({ stored })
  })

  it.each(externalUrls)('returns the external URL for %s', (url) => {
    expect(resolveRecordingUrl(url, base, call)).toEqual({ external: new URL(url) })
  })

  it.each([
    ...invalidPaths,
    ...invalidPaths.filter((invalidPath) => !/[#?\n]|\.\./.test(invalidPath)).map((invalidPath) => base + invalidPath),
    'http://',
    '//elsewhere.example.com/x',
    'javascript:alert(1)',
    'data:audio/wav;base64,UklGRg==',
    '',
  ])('returns nothing for %s', (url) => {
    expect(resolveRecordingUrl(url, base, call)).toBeUndefined()
  })

  it('returns nothing for a call without an account or with another call SID', () => {
    for (const change of [{ account_sid: null }, { account_sid: undefined }, { call_sid: null }, { call_sid: 'C' }])
      for (const url of paths) expect(resolveRecordingUrl(url, base, { ...call, ...change })).toBeUndefined()
  })
})

describe('isRecordingUrl', () => {
  it.each([...paths, ...externalUrls])('accepts %s', (url) => {
    expect(isRecordingUrl(url, call)).toBe(true)
  })

  it.each([
    ...invalidPaths,
    'http://',
    '//elsewhere.example.com/x',
    'javascript:alert(1)',
    'ftp://a.example.com/c.wav',
  ])('refuses %s', (url) => {
    expect(isRecordingUrl(url, call)).toBe(false)
  })
})

describe('parseRecordingName', () => {
  const parseDay = (yyyy: string, mm: string, dd: string) =>
    parseRecordingName({ call_sid: 'c', yyyy, mm, dd, format: 'wav' })?.dd

  it.each([
    ['2026', '02', '31'],
    ['2026', '02', '29'],
    ['2026', '04', '31'],
    ['2026', '13', '22'],
    ['2026', '11', '00'],
    ['1900', '02', '29'],
  ])('refuses the date %s-%s-%s', (...day) => {
    expect(parseDay(...day)).toBeUndefined()
  })

  it.each([
    ['2024', '02', '29'],
    ['2026', '12', '31'],
    ['2026', '01', '01'],
  ])('accepts the date %s-%s-%s', (...day) => {
    expect(parseDay(...day)).toBe(day[2])
  })
})
