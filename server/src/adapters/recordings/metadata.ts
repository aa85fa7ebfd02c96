import type { BucketTag } from '@trunkline/contract/calls/bucket'

/** Bytes that every vendor takes, names included. */
const most = 2_000

/** A name that every vendor takes: Azure's have to be words of a programming language. */
const named = (name: string) => name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_')

/** They travel as headers. */
const plain = (value: string) => (/^[\x20-\x7e]*$/.test(value) ? value.trim() : encodeURIComponent(value))

/** What is said of a recording beside its bytes: what its writer told of the call, and the tags of the bucket's owner. */
export const metadataOf = (about: Record<string, string>, tags: readonly BucketTag[]): Record<string, string> => {
  const said: Record<string, string> = {}
  let size = 0
  // whose it is comes first: it is what must not be left out
  const { accountSid = '', ...others } = about
  const pairs = [['accountSid', accountSid], ...Object.entries(others), ...tags.map(({ Key, Value }) => [Key, Value])]
  for (const [name = '', value = ''] of pairs) {
    const [key, text] = [named(name), plain(value)]
    size += key.length + text.length
    if (key === '' || text === '' || key in said || size > most) continue
    said[key] = text
  }
  return said
}
