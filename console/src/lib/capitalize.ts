/** Capitalizes the first letter. */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
