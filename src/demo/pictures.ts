import type { UserImageType } from '../modules/media/user-content/user-image.js';
import type { DemoUser } from './context.js';

/** Returns a URL that contains a drawing, so that the demo data needs no image server. */
const urlOf = (width: number, height: number, content: string): string =>
  `data:image/svg+xml,${encodeURI(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${4 * width}" height="${4 * height}" font-family="sans-serif">${content}</svg>`,
  ).replaceAll('#', '%23')}`;

const fill = (hue: number, lightness: number): string => `hsl(${hue} 45% ${lightness}%)`;

const court = (width: number, height: number, hue: number): string =>
  `<rect width="${width}" height="${height}" fill="${fill(hue, 35)}"/><path d="M8 8h${width - 16}v${height - 16}h-${width - 16}zM${width / 2} 8v${height - 16}" fill="none" stroke="#fff" stroke-width="2"/>`;

const person = (x: number, y: number, size: number, hue: number): string =>
  `<g transform="translate(${x} ${y}) scale(${size})" fill="${fill(hue, 80)}"><circle r="9"/><path d="M-16 30a16 16 0 0 1 32 0z"/></g>`;

/** Returns the URL of an image of a player. */
export function playerPicture({ firstName, lastName }: DemoUser, type: UserImageType, index: number): string {
  const hue = (index * 47) % 360;
  if (type === 'PROFILE')
    return urlOf(80, 80, `<rect width="80" height="80" fill="${fill(hue, 30)}"/>${person(40, 34, 1.5, hue)}`);
  if (type === 'COVER') return urlOf(240, 80, `${court(240, 80, hue)}<circle cx="180" cy="40" r="5" fill="#e3f15c"/>`);
  const caption = `<rect y="76" width="120" height="14" fill="#15201a"/><text x="8" y="86" font-size="9" fill="#fff">${firstName} ${lastName}</text>`;
  const ball = '<circle cx="84" cy="24" r="4" fill="#e3f15c"/>';
  return urlOf(120, 90, `${court(120, 76, hue)}${person(40, 30, 1, hue)}${ball}${caption}`);
}

/** Returns the URL of the logo of a sponsor, in dark or light colors. */
export function logoPicture(title: string, index: number, color: string | null | undefined): string {
  const [paper, ink] = color === 'dark' ? ['#15201a', '#fff'] : ['#fff', '#15201a'];
  const text = title.replaceAll('&', '&amp;');
  return urlOf(
    200,
    60,
    `<rect width="200" height="60" fill="${paper}"/><circle cx="28" cy="30" r="16" fill="${fill((index * 83) % 360, 50)}"/><text x="54" y="35" font-size="15" font-weight="bold" fill="${ink}">${text}</text>`,
  );
}
