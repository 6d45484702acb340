// Given and family names by culture, so that a person's two names belong together. Also the plain letters for usernames.

export interface Culture {
  given: readonly string[];
  family: readonly string[];
}

const culture = (given: string, family: string): Culture => ({ given: given.split(' '), family: family.split(' ') });

export const cultures: readonly Culture[] = [
  culture(
    'Amara Chidi Ngozi Emeka Ifeoma Obinna Adaeze Kelechi Uche Zainab Tunde Folake Segun Yetunde Femi Bisi',
    'Okonkwo Adeyemi Eze Nwosu Balogun Obi Afolabi Onyekachi Bello Okoro Adebayo Ibrahim Olawale Nnamdi',
  ),
  culture(
    'Wanjiru Kamau Achieng Otieno Njeri Mwangi Akinyi Kipchoge Naliaka Baraka Zawadi Juma Neema Amani',
    'Kariuki Odhiambo Mutua Wambui Kimani Ochieng Cheruiyot Njoroge Maina Waweru Omondi Kiplagat',
  ),
  culture(
    'Priya Arjun Meera Rohan Ananya Vikram Kavya Aditya Lakshmi Sanjay Nandini Rahul Divya Karthik Isha Farhan',
    'Iyer Sharma Nair Patel Reddy Banerjee Gupta Menon Desai Chatterjee Kulkarni Rao Singh Joshi Khanna',
  ),
  culture(
    'Mei Wei Xiuying Jun Lihua Hao Yifan Qing Bo Yan Zihan Rui Tao Fang Chen Lan',
    'Wang Zhang Liu Huang Zhao Wu Zhou Xu Sun Ma Zhu Guo Lin Gao Luo',
  ),
  culture(
    'Haruka Kenji Yui Takumi Sakura Daichi Aoi Hiroshi Rin Naoki Emi Sota Mio Ryota Kaede Yuto',
    'Tanaka Suzuki Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Matsumoto Inoue Mori',
  ),
  culture(
    'Minjun Seoyeon Jiho Hayoon Dohyun Jiwoo Eunji Hyunwoo Sora Taeyang Yuna Joon Hana Sungmin',
    'Kim Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon',
  ),
  culture(
    'Lucía Mateo Valentina Santiago Camila Joaquín Sofía Tomás Ximena Diego Paloma Andrés Inés Rodrigo Marisol Emilio',
    'García Hernández Rojas Mendoza Vargas Castillo Morales Ríos Fuentes Salazar Peña Navarro Ibáñez Cordero',
  ),
  culture(
    'Beatriz Thiago Larissa Caio Fernanda Rafael Luana Gustavo Marina Otávio Renata Davi Helena Murilo',
    'Silva Oliveira Carvalho Almeida Ribeiro Barbosa Teixeira Moreira Cardoso Nogueira Pinheiro Azevedo Figueiredo',
  ),
  culture(
    'Layla Omar Nour Youssef Salma Karim Hala Tariq Rania Hassan Dina Samir Yasmin Khalid Mariam Ziad',
    'Haddad Mansour Farouk Nasser Khoury Saleh Aziz Darwish Hamdan Sabbagh Rahman Sayegh Qasim Zaki',
  ),
  culture(
    'Elif Mehmet Zeynep Emre Ayşe Burak Defne Kerem Selin Cem Ebru Onur Melis Tolga',
    'Yılmaz Kaya Demir Çelik Şahin Aydın Öztürk Arslan Doğan Koç Kurt Polat Aksoy Erdem',
  ),
  culture(
    'Katarzyna Piotr Zofia Jakub Ewa Tomasz Milena Wojtek Vesna Luka Jana Marek Ivana Ondřej Tereza Pavel',
    'Kowalska Nowak Wiśniewska Zieliński Novák Dvořák Horvat Kovač Svoboda Lewandowska Marić Procházka Wójcik',
  ),
  culture(
    'Ingrid Lars Astrid Mikkel Freja Søren Saga Oskar Linnea Henrik Aino Eero Signe Anders Tuuli Jonas',
    'Lindqvist Hansen Berg Nilsen Virtanen Mäkinen Sørensen Holm Dahl Ekström Haugen Korhonen Bakke Lund',
  ),
  culture(
    'Chiara Matteo Giulia Lorenzo Élise Hugo Margaux Théo Clara Julien Francesca Paolo Noémie Luc Camille Enzo',
    'Rossi Moretti Ferrari Conti Laurent Dubois Moreau Girard Bianchi Fontaine Rousseau Gallo Mercier Ricci',
  ),
  culture(
    'Hannah Lukas Greta Moritz Femke Bram Anouk Daan Klara Jonas Lotte Sven Marieke Felix Johanna Tijn',
    'Müller Schneider Vogel Brandt Jansen Visser Keller Hoffmann Mulder Wagner Bakker Krause Smit Lorenz',
  ),
  culture(
    'Rosalind Owen Maeve Callum Imogen Declan Harriet Rhys Fiona Angus Bronwyn Theo Niamh Elliot Saoirse Tobias',
    'Hughes MacLeod Byrne Whitaker Gallagher Ashworth Pritchard Fletcher Doyle Sinclair Hartley Quinn Marlowe Rowe',
  ),
  culture(
    'Thuy Minh Linh Somchai Anh Putri Bayu Siti Rizal Malia Kalani Tala Jovelyn Arnel Dewi Hoang',
    'Nguyen Tran Pham Santoso Wijaya Reyes Dela-Cruz Bautista Suharto Le Villanueva Rahardjo Kealoha Sombat',
  ),
  culture(
    'Olena Dmytro Nadia Artem Iryna Taras Nino Giorgi Ani Levon Aigul Nurlan Dinara Timur',
    'Shevchenko Kovalenko Bondar Melnyk Petrosyan Beridze Kapanadze Hakobyan Akhmetov Tkachenko Lysenko Omarova',
  ),
];

const special: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', đ: 'd' };

/** The text in the letters a to z, digits and single hyphens, as slugs and usernames have it. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\x00-\x7f]/g, (letter) => special[letter] ?? '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
